#pragma once
// What `bench --grain` does by many tasks: solves, hops, and heat on a plane.

#include "drivers/bench/bench_session.hpp"
#include "drivers/spec/commands.hpp"
#include "runtime/graph.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace qcd
{

/// A workload on one tiling, with its data.
class GrainJob
{
public:
    virtual ~GrainJob() = default;
    virtual Graph& graph() = 0;
    /// What comes before its steps; no task is under way when it returns.
    virtual void prepare() {}
    /// Submits all steps and waits for their last task.
    virtual void run() = 0;
    virtual std::string digest() = 0; ///< of the result, after run()
};

struct GrainWorkload {
    std::string name; ///< for --ops
    std::string what; ///< is done in a step: "iterations of even-odd CR in double"
    int steps = 0;
    std::vector<int> extents; ///< of its grid
    int thinnest = 1;         ///< least thickness of a part
    /// What a part of a tiling has to do, in any unit.
    std::function<double(const std::vector<int>& parts)> work;
    bool on_lattice = true; ///< that options say; else its grid is its own
    bool on_devices = true; ///< it has kernels for them
    /// The session's plan is a graph on the tiling, if the workload is on a lattice.
    std::function<std::unique_ptr<GrainJob>(const BenchSession&, const std::vector<int>& parts)>
        make;
};

/// The workloads that --ops asks for. Throws Error for a name that is in none of theirs.
std::vector<GrainWorkload> grain_workloads(const BenchSpec&);

} // namespace qcd

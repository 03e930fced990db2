#pragma once
// Solutions of a propagator that an interrupted run leaves, each in files of its own in a folder
// beside the propagator's: NN.lime and, written after it, NN.json, for number NN of the sources.
// propagator.json, there before them, says whose they are.

#include "drivers/run/solve_case.hpp"
#include "drivers/spec/commands.hpp"
#include "lattice/files/spinor_writer.hpp"
#include "lattice/spinor_source.hpp"

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace qcd
{

class KeptSolutions
{
public:
    /// Keeps the solutions of the problem that these options say, on a gauge field with this
    /// digest. The first rank writes the files, and all read them; each call is made by all ranks.
    KeptSolutions(const PropagatorSpec&, const Extents&, std::uint64_t links_digest, Ranks&);

    /// Throws Error where the folder beside the propagator's file is somebody else's.
    static void require_own_folder(const PropagatorSpec&);

    const std::string& folder() const { return folder_; }

    /// Puts a kept x into the case, whose source `rhs` is that of this number, and fills the report
    /// as solve_once() would. Nothing is trusted: x is verified with D and b, and its digest must
    /// be the one that was kept. False: there is none, or a note says why it is not used.
    bool take(int number, RunReport&, SolveCase&, int rhs) const;
    /// Puts a kept x there that was taken before. Throws Error.
    void put(int number, SolveCase&, int rhs) const;

    /// Throws Error, on the first rank.
    void keep(int number, const RunReport&, SolveCase&, int rhs) const;

    /// Call it when the propagator is in its file, and all of it has converged.
    void remove() const;

private:
    std::string file(int number, const char* ending) const;
    void make_folder() const;
    struct Kept {
        nlohmann::json about;
        std::unique_ptr<SpinorSource> x;
    };
    Kept read(int number) const;
    void use(const Kept&, RunReport&, SolveCase&, int rhs) const;

    Ranks& ranks_;
    std::string folder_;
    Extents lattice_;
    int bits_, max_iterations_;
    OutputSpec output_;
    nlohmann::ordered_json problem_; ///< all that decides on the bits of x
};

} // namespace qcd

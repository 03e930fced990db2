#pragma once
// Launch shapes of the CUDA kernels, measured at first use on a kind of device and kept for later
// runs.

#include "drivers/cli/options.hpp"
#include "drivers/tuning/shape_file.hpp"
#include "lattice/link_storage.hpp"
#include "runtime/codelet.hpp"
#include "runtime/session.hpp"
#include "tasks/tiling.hpp"

#include <functional>
#include <optional>

namespace qcd
{

class LaunchTuning
{
public:
    /// For the CUDA workers of a machine, if there are any, all of one kind, and --tune is not off.
    /// `say` is told what was done, in one line; what goes wrong goes to stderr and is no error of
    /// the run. Throws DeviceError where --tune again, or with shapes, finds no CUDA worker.
    LaunchTuning(const cli::MachineOptions&, const Session&,
                 std::function<void(const std::string&)> say);
    ~LaunchTuning(); ///< the default shapes again
    LaunchTuning(const LaunchTuning&) = delete;
    LaunchTuning& operator=(const LaunchTuning&) = delete;

    /// Before the fields of a run on these tiles exist: from now on its kernels have the shapes
    /// that are known for them. What is not known (with --tune again: not from this run) is
    /// measured, on one GPU, in some seconds at most and as much memory as a tile's data take.
    /// Throws Error where a typed shape is for no kernel of these tiles, or its kernel cannot have
    /// it.
    void prepare(const Tiling&, Precision, LinkStorage);

    /// What was prepared; none without CUDA workers, with --tune off or shapes, or where GPUs
    /// differ in kind.
    const std::optional<ShapeReport>& report() const { return report_; }
    /// The shapes that kernels have; none where they are not chosen here.
    std::optional<std::vector<ShapeChoice>> choices() const;

private:
    void use_typed(const std::vector<LaunchCase>&) const;
    void measure(const std::vector<LaunchCase>&, const Tiling&, Precision, LinkStorage);
    void keep() const;

    cli::MachineOptions options_;
    std::function<void(const std::string&)> say_;
    int device_ = 0;
    std::optional<ShapeFile> file_;
    std::vector<MeasuredShape> known_, measured_;
    std::optional<ShapeReport> report_;
};

} // namespace qcd

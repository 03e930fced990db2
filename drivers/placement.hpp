#pragma once
// How a solve is laid out on the workers of a run: tiles, who computes which, iterations per task.

#include "drivers/machine.hpp"
#include "solver/solver.hpp"

namespace qcd
{

class Placement
{
public:
    /// Tiles as asked for, else as default_tiles() says, cut further where a GPU cannot hold the
    /// lattice. With several GPUs alone each tile has its GPU. Throws DeviceError when the data of
    /// one task do not fit into a device.
    Placement(const cli::SolveOptions&, const Extents& lattice, const Machine&,
              const MachineFacts&);
    ~Placement();
    Placement(const Placement&) = delete;
    Placement& operator=(const Placement&) = delete;

    const Tiling& tiling() const { return tiling_; }
    /// For SolveControl.
    int batch() const { return batch_; }

private:
    Tiling tiling_;
    int batch_ = 1;
};

} // namespace qcd

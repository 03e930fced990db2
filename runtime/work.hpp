#pragma once

namespace qcd
{

/// What one call of an operation moves and computes by its contract. Bytes: of its data, or the
/// share of them that it looks at (Slot::share), twice where StarPU is told that they are read and
/// written. Memory that is no StarPU data is not counted.
struct Work {
    double bytes = 0, flops = 0;
};

/// How an operation is executed; the bits are the same.
struct Manner {
    int cores = 1;          ///< of a CPU worker (Plan::cores_per_worker)
    bool downwards = false; ///< from the end, where it goes through all of a tile
    /// How often it is done, on data of which slots have as many, one behind the other
    /// (Graph::layers); what all share they have once.
    int layers = 1;
};

} // namespace qcd

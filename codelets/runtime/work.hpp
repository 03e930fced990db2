#pragma once

namespace qcd
{

/// What one call of an operation moves and computes by its contract. Bytes: of all its data, twice
/// where they are read and written. Data that are read in part (psi and links, for faces) and
/// memory that is no StarPU data are not counted.
struct Work {
    double bytes = 0, flops = 0;
};

} // namespace qcd

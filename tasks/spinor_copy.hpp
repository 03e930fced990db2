#pragma once
// The values of a spinor field on the host, whatever the tiles that it has in the graph.

#include "lattice/precision.hpp"
#include "tasks/field.hpp"

#include <vector>

namespace qcd
{

/// Bit for bit.
struct SpinorCopy {
    Extents lattice{};
    Precision precision = Precision::f64;
    Sites sites = Sites::all;
    std::vector<char>
        reals; ///< 24 a site, sites in site order (x fastest), in the field's precision
};

/// Waits for the field.
SpinorCopy copy_of(const SpinorField&, int rhs = 0);
/// Waits. Throws Error where the field is of another lattice, precision or other sites.
void put(const SpinorCopy&, SpinorField&, int rhs = 0);

} // namespace qcd

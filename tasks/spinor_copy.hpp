#pragma once
// The values of a spinor field on the host, whatever the tiles that it has in the graph.

#include "lattice/precision.hpp"
#include "tasks/field.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace qcd
{

/// Bit for bit, of sites that one process has: of all, unless several ranks share the lattice.
struct SpinorCopy {
    Extents lattice{};
    Box box{}; ///< its sites; not cut in x
    Precision precision = Precision::f64;
    Sites sites = Sites::all;
    std::vector<char>
        reals; ///< 24 a site, sites of the box in order (x fastest), in the field's precision
};

/// Waits for the field. Throws std::bad_alloc, on all ranks where one has no memory for it.
SpinorCopy copy_of(const SpinorField&, int rhs = 0);
/// Waits. Throws Error where the field is of another lattice, precision or other sites.
void put(const SpinorCopy&, SpinorField&, int rhs = 0);

/// Memory that visit_on_first_rank() takes on the first rank, of several.
std::size_t largest_piece(const LatticeGraph&, const SpinorCopy& mine);

/// Visits the bytes of the whole lattice in site order, from the copies that all ranks have of a
/// field: put is called with piece after piece, on the first rank. What it throws there is thrown
/// when all ranks are through. room: of the first rank, largest_piece().
void visit_on_first_rank(const LatticeGraph&, const SpinorCopy& mine, std::span<std::byte> room,
                         const std::function<void(std::span<const std::byte>)>& put);

} // namespace qcd

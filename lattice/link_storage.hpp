#pragma once
// Links in fewer than 18 reals (codelets/device/link.h says what the reals are), on the host.

#include "lattice/link.hpp"

namespace qcd
{

/// Reals that a link is stored in.
enum class LinkStorage { full = 18, two_rows = 12, minimal = 8 };

constexpr int reals(LinkStorage s) { return int(s); }

/// Its place in a table of all three.
constexpr int index(LinkStorage s)
{
    return s == LinkStorage::full ? 0 : s == LinkStorage::two_rows ? 1 : 2;
}

namespace links
{

/// U in `storage` reals that will be rounded to the unit `rounding` (2^-53, 2^-24). U must be in
/// SU(3) where they are fewer than 18; expand() and distance() show what was lost.
void compress(const Link& u, LinkStorage storage, double rounding, double* out);

/// What kernels make of the stored reals, in double. The phase of the boundary is not in them.
Link expand(const double* stored, LinkStorage storage);

/// Largest |(A - B)_ij|; NaN if an element is.
double distance(const Link& a, const Link& b);

} // namespace links

} // namespace qcd

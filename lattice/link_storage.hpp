#pragma once
// Links in fewer than 18 reals (codelets/device/link.h says what the reals are), on the host.

#include "lattice/link.hpp"

#include <memory>

namespace qcd
{

/// Reals that a link is stored in.
enum class LinkStorage { full = 18, two_rows = 12, minimal = 8 };

constexpr int reals(LinkStorage s) { return int(s); }

/// One T for each storage.
template <class T>
class ByLinkStorage
{
public:
    template <class Make>
    explicit ByLinkStorage(Make make)
        : full_(make(LinkStorage::full)), two_rows_(make(LinkStorage::two_rows)),
          minimal_(make(LinkStorage::minimal))
    {
    }
    const T& operator[](LinkStorage s) const
    {
        return s == LinkStorage::full       ? *full_
               : s == LinkStorage::two_rows ? *two_rows_
                                            : *minimal_;
    }

private:
    std::unique_ptr<const T> full_, two_rows_, minimal_;
};

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

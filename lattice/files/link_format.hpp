#pragma once
// How a file stores the four links of a site.

#include <cstddef>
#include <string>

namespace qcd
{

struct LinkFormat {
    int bits = 64; ///< of a real: 32 or 64, IEEE 754
    bool big_endian = true;
    int rows = 3;       ///< stored rows of a link; with 2, row 2 = conj(row 0 x row 1)
    bool rough = false; ///< links need to be near SU(3) only: they will be projected

    std::size_t reals() const { return std::size_t(4) * rows * 6; } ///< stored per site
    std::size_t site_bytes() const { return reals() * bits / 8; }

    /// Largest |(U U^dagger - 1)_ij| and |det U - 1| that rounding of a stored link explains:
    /// 1e-5 for 32 bits (fields computed in single precision reach 5e-7), 1e-9 for 64 (1e-13).
    /// What is farther off than 1e-4 was damaged, not rounded.
    double unitarity_tolerance() const { return rough ? 1e-4 : bits == 32 ? 1e-5 : 1e-9; }

    /// How far a plaquette or link trace in a header may be from the value recomputed in double,
    /// besides the header's own rounding: sums of millions of terms in the file's precision.
    double average_tolerance() const { return bits == 32 ? 1e-5 : 1e-10; }
};

/// bytes: site_bytes() of them; links: 72 doubles.
void decode_site(const LinkFormat& format, const std::byte* bytes, double* links);
void encode_site(const LinkFormat& format, const double* links, std::byte* bytes);

/// Are the site's links near SU(3)? Read in the wrong byte order they are far from it.
bool holds_links(LinkFormat format, const std::byte* bytes);

/// Is a link 0, as links t are where time ends?
bool is_zero_link(const double* link);

/// What is wrong with the first bad one of a site's links, of so many directions: "link y is not
/// finite", ...; "" if nothing is.
std::string link_defect(const LinkFormat& format, const double* links, int directions = 4);

} // namespace qcd

#include "lattice/spinor_digest.hpp"

namespace qcd
{

void SpinorDigest::add_site(const double spinor[24])
{
    if (real_bytes_ == 8) return hash_.add(std::as_bytes(std::span(spinor, 24)));
    float single[24];
    for (int i = 0; i < 24; ++i) single[i] = float(spinor[i]);
    hash_.add(std::as_bytes(std::span(single)));
}

} // namespace qcd

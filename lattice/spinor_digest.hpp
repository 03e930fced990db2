#pragma once
// The digest of a spinor field: xxh64 (seed 0) of its sites in order (x fastest), each as 24
// little-endian reals of the field's precision: spin, colour, re, im.

#include "lattice/files/running_xxh64.hpp"

namespace qcd
{

class SpinorDigest
{
public:
    /// real_bytes: 8 or 4. Numbers are rounded to that precision before they count.
    explicit SpinorDigest(int real_bytes) : real_bytes_(real_bytes) {}
    void add_site(const double spinor[24]);
    std::uint64_t value() const { return hash_.value(); }
    std::span<std::byte> state() { return hash_.state(); } ///< RunningXxh64's

private:
    RunningXxh64 hash_;
    int real_bytes_;
};

} // namespace qcd

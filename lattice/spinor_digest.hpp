#pragma once
// The digest of a spinor field: xxh64 (seed 0) of its sites in order (x fastest), each as 24
// little-endian reals of the field's precision: spin, colour, re, im.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace qcd
{

class SpinorDigest
{
public:
    /// real_bytes: 8 or 4. Numbers are rounded to that precision before they count.
    explicit SpinorDigest(int real_bytes);
    ~SpinorDigest();
    void add_site(const double spinor[24]);
    std::uint64_t value() const;
    /// What it has of the sites so far, to be copied into that of another program of the same
    /// build, which then goes on from there.
    std::span<std::byte> state();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace qcd

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace qcd
{

/// xxh64() (checksum.hpp) of bytes that come in pieces.
class RunningXxh64
{
public:
    RunningXxh64();
    ~RunningXxh64();
    void add(std::span<const std::byte> bytes);
    std::uint64_t value() const;
    /// What it has of the bytes so far, to be copied into that of another program of the same build,
    /// which then goes on from there.
    std::span<std::byte> state();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace qcd

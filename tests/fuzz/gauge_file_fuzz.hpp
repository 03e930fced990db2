#pragma once
// Any bytes are a gauge field that can be streamed to its end, or an Error of one line.

#include "base/error.hpp"
#include "lattice/files/gauge_file.hpp"

#include <cstdlib>
#include <cstring>
#include <string_view>

namespace qcd::test
{

inline void stream(GaugeSource& source)
{
    GaugeMeasurement measurement(source.extents());
    std::vector<double> slice(source.slice_reals());
    for (int t = 0; t < source.extents()[3]; ++t) {
        source.read_slice(t, slice);
        measurement.add_slice(t, slice);
    }
    source.finish(measurement.result());
}

/// One line, printable, that names the file?
inline void require_line(std::string_view line)
{
    if (line.size() > 300 || !line.starts_with("fuzz: ")) std::abort();
    for (const char c : line)
        if (c < ' ' || c > '~') std::abort();
}

inline void read_as(const std::vector<std::byte>& bytes, const std::optional<Extents>& lattice,
                    const GaugeReading& reading)
{
    try {
        const auto source = open_gauge_file(memory_bytes("fuzz", bytes), lattice, reading);
        stream(*source);
        for (const std::string& note : source->notes()) require_line(note);
    } catch (const Error& error) {
        require_line(error.what());
    }
}

/// The input starts with `signature` whatever the fuzzer put there, so that the right reader sees
/// it.
inline int read_as_gauge_file(std::string_view signature, const std::uint8_t* data,
                              std::size_t size)
{
    if (size < signature.size()) return -1; // not worth keeping
    std::vector<std::byte> bytes(size);
    std::memcpy(bytes.data(), data, size);
    std::memcpy(bytes.data(), signature.data(), signature.size());
    read_as(bytes, std::nullopt, {});
    read_as(bytes, Extents{2, 2, 2, 2}, {.reunitarize = true});
    return 0;
}

} // namespace qcd::test

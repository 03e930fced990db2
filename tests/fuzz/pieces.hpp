#pragma once
// Inputs of fuzzers that are several texts, and what messages of all may hold.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace qcd::test
{

inline std::vector<std::string> pieces_of(const std::uint8_t* data, std::size_t size,
                                          char separator)
{
    std::vector<std::string> pieces{""};
    for (std::size_t i = 0; i < size; ++i)
        if (char(data[i]) == separator)
            pieces.emplace_back();
        else
            pieces.back() += char(data[i]);
    return pieces;
}

/// What complain() prints as one line of some length; other control characters become '?' there.
inline void require_one_line(std::string_view line)
{
    if (line.empty() || line.size() > 4096 || line.find('\n') != line.npos) std::abort();
}

} // namespace qcd::test

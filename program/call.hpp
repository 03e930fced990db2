#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace qcd
{

/// Who was called how, for JSON.
struct Call {
    std::string program;
    std::vector<std::string> arguments; ///< as typed, after the program's name
    std::chrono::system_clock::time_point started = std::chrono::system_clock::now();
    /// It is no part of what was asked.
    bool operator==(const Call&) const { return true; }
};

} // namespace qcd

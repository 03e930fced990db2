#pragma once

#include <fmt/format.h>

#include <ostream>
#include <utility>

namespace qcd
{

/// Aligned lines of "  label   value".
class Lines
{
public:
    explicit Lines(std::ostream& out) : out_(out) {}
    template <class... Args>
    void add(const char* label, fmt::format_string<Args...> format, Args&&... args)
    {
        out_ << fmt::format("  {:<17}{}\n", label,
                            fmt::format(format, std::forward<Args>(args)...));
    }

private:
    std::ostream& out_;
};

} // namespace qcd

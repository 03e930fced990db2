#pragma once
// Small pieces of text: numbers in specifications and headers, and what a message may quote.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qcd
{

/// The number that is the whole of `text` (decimal; floating point also with exponent), or nothing.
/// Infinity and NaN pass for floating point: the caller says what range it takes.
template <typename Number>
std::optional<Number> parse_number(std::string_view text)
{
    Number value{};
    const char* end = text.data() + text.size();
    const auto [rest, status] = std::from_chars(text.data(), end, value);
    if (status != std::errc() || rest != end) return std::nullopt;
    return value;
}

/// One to eight hexadecimal digits, either case, with 0x before them or without.
std::optional<std::uint32_t> parse_hex32(std::string_view text);

/// Exactly 16 hexadecimal digits.
std::optional<std::uint64_t> parse_digest(std::string_view text);

/// "1 slab", "2 slabs"
std::string counted(long n, std::string_view what);

/// Removes blanks, tabs, line ends and NUL bytes on either side.
std::string_view trim(std::string_view text);

/// The pieces between separators; at least one, pieces may be empty.
std::vector<std::string_view> split(std::string_view text, char separator);

/// Control characters become '?': for a line made of what others wrote.
std::string one_line(std::string text);

/// The text in quotes, for gnuplot's data and scripts.
std::string gnuplot_text(const std::string& text);

/// A measured number: so many digits, no exponent; all digits before the point.
std::string figure(double value, int digits = 3);

/// 'text' for a one-line message: unprintable bytes become '?', long text is cut.
std::string quoted(std::string_view text);

} // namespace qcd

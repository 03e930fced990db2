#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace qcd
{

std::optional<std::uint32_t> parse_hex32(std::string_view text)
{
    if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
    std::uint32_t value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, status] = std::from_chars(text.data(), end, value, 16);
    if (status != std::errc() || rest != end || text.size() > 8) return std::nullopt;
    return value;
}

std::optional<std::uint64_t> parse_digest(std::string_view text)
{
    if (text.size() != 16) return std::nullopt;
    std::uint64_t value = 0;
    const auto [rest, status] = std::from_chars(text.data(), text.data() + 16, value, 16);
    if (status != std::errc() || rest != text.data() + 16) return std::nullopt;
    return value;
}

std::string counted(long n, std::string_view what)
{
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string_view trim(std::string_view text)
{
    constexpr std::string_view blank(" \t\r\n\0", 5);
    const std::size_t first = text.find_first_not_of(blank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> pieces;
    for (;;) {
        const std::size_t at = text.find(separator);
        pieces.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return pieces;
        text.remove_prefix(at + 1);
    }
}

std::string one_line(std::string text)
{
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
    return text;
}

std::string gnuplot_text(const std::string& text)
{
    std::string out = one_line(text);
    std::replace(out.begin(), out.end(), '"', '\'');
    std::replace(out.begin(), out.end(), '\\', '/');
    return '"' + out + '"';
}

std::string figure(double value, int digits)
{
    if (!(std::abs(value) > 0) || !std::isfinite(value)) return fmt::format("{:g}", value);
    const int before = 1 + int(std::floor(std::log10(std::abs(value))));
    return fmt::format("{:.{}f}", value, std::max(0, digits - before));
}

std::string quoted(std::string_view text)
{
    constexpr std::size_t longest = 60;
    std::string out = "'";
    for (const char c : text.substr(0, longest)) out += c >= ' ' && c <= '~' ? c : '?';
    return out + (text.size() > longest ? "...'" : "'");
}

} // namespace qcd

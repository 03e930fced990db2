#include "lattice/files/nersc.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace qcd
{

namespace
{

constexpr std::uint64_t longest_header = 1 << 16;

struct FloatingPoint {
    std::string_view name;
    int bits;
    std::optional<bool> big_endian; ///< none: the name does not say it
};
constexpr FloatingPoint floating_points[] = {
    {"IEEE32BIG", 32, true}, {"IEEE32LITTLE", 32, false}, {"IEEE32", 32, {}},
    {"IEEE64BIG", 64, true}, {"IEEE64LITTLE", 64, false}, {"IEEE64", 64, {}},
};
constexpr std::string_view two_rows = "4D_SU3_GAUGE", three_rows = "4D_SU3_GAUGE_3x3";

constexpr std::array<std::string_view, 9> keys = {"DATATYPE",    "DIMENSION_1", "DIMENSION_2",
                                                  "DIMENSION_3", "DIMENSION_4", "CHECKSUM",
                                                  "LINK_TRACE",  "PLAQUETTE",   "FLOATING_POINT"};

constexpr std::string_view end_mark = "END_HEADER";

std::string_view trim_left(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
    return text;
}

/// The lines KEY = VALUE that say how to read the links, and where the data begin.
class Header
{
public:
    explicit Header(const FileBytes& bytes) : name_(bytes.name())
    {
        const std::string text = bytes.text(0, longest_header);
        std::string_view rest = text;
        if (next_line(rest) != "BEGIN_HEADER") throw error("the first line is not BEGIN_HEADER");
        while (!trim_left(rest).starts_with(end_mark)) add(next_line(rest));
        rest = trim_left(rest).substr(end_mark.size());
        const std::size_t line_end = rest.find('\n');
        ends_with_a_line_ =
            line_end != std::string_view::npos && trim_left(rest.substr(0, line_end)).empty();
        if (ends_with_a_line_) rest.remove_prefix(line_end + 1);
        length_ = text.size() - rest.size();
    }

    /// Where the data begin: behind the line END_HEADER, or behind the word if more follows in it.
    std::uint64_t length() const { return length_; }
    bool ends_with_a_line() const { return ends_with_a_line_; }

    bool has(const std::string& key) const { return values_.contains(key); }

    const std::string& value(const std::string& key) const
    {
        const auto found = values_.find(key);
        if (found == values_.end()) throw error(fmt::format("the header has no {}", key));
        return found->second;
    }

    Error error(const std::string& problem) const { return Error("{}: {}", name_, problem); }
    Error bad_value(const std::string& key, std::string_view expected) const
    {
        return error(fmt::format("{} = {} is not {}", key, qcd::quoted(value(key)), expected));
    }

private:
    std::string_view next_line(std::string_view& rest) const
    {
        const std::size_t end = rest.find('\n');
        if (end == std::string_view::npos)
            throw error(
                fmt::format("truncated: no END_HEADER line in the first {} bytes", longest_header));
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end + 1);
        return trim(line);
    }

    void add(std::string_view line)
    {
        const std::size_t equals = line.find('=');
        const std::string key(trim(line.substr(0, equals)));
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) return;
        if (equals == std::string_view::npos)
            throw error(fmt::format("header line {} is not KEY = VALUE", qcd::quoted(line)));
        if (!values_.emplace(key, trim(line.substr(equals + 1))).second)
            throw error(fmt::format("the header has {} twice", qcd::quoted(key)));
    }

    std::string name_;
    std::map<std::string, std::string> values_;
    std::uint64_t length_ = 0;
    bool ends_with_a_line_ = false;
};

Extents read_extents(const Header& header)
{
    Extents lattice;
    for (int mu = 0; mu < 4; ++mu) {
        const std::string key = fmt::format("DIMENSION_{}", mu + 1);
        const auto extent = parse_number<int>(header.value(key));
        if (!extent) throw header.bad_value(key, fmt::format("a number up to {}", max_extent));
        lattice[mu] = *extent;
    }
    return lattice;
}

const FloatingPoint& read_floating_point(const Header& header)
{
    for (const FloatingPoint& known : floating_points)
        if (header.value("FLOATING_POINT") == known.name) return known;
    throw header.bad_value("FLOATING_POINT", "IEEE32 or IEEE64, with BIG or LITTLE after it");
}

LinkFormat read_link_format(const Header& header)
{
    LinkFormat format;
    const std::string& datatype = header.value("DATATYPE");
    if (datatype != two_rows && datatype != three_rows)
        throw header.bad_value("DATATYPE", fmt::format("{} or {}", two_rows, three_rows));
    format.rows = datatype == two_rows ? 2 : 3;
    const FloatingPoint& floating_point = read_floating_point(header);
    format.bits = floating_point.bits;
    format.big_endian = floating_point.big_endian.value_or(true);
    return format;
}

bool first_links_are_valid(const FileBytes& bytes, std::uint64_t offset, const LinkFormat& format)
{
    std::vector<std::byte> site(format.site_bytes());
    bytes.read(offset, site);
    return holds_links(format, site.data());
}

/// The unit of the last digit of a decimal number such as 0.123 or 1.2e-3; at most 0.1.
double last_digit(std::string_view number)
{
    const std::size_t mantissa_end = std::min(number.find_first_of("eE"), number.size());
    const std::size_t point = number.substr(0, mantissa_end).find('.');
    int exponent = 0;
    if (mantissa_end < number.size()) {
        std::string_view text = number.substr(mantissa_end + 1);
        if (text.starts_with('+')) text.remove_prefix(1);
        exponent = parse_number<int>(text).value_or(0);
    }
    const int decimals = point == std::string_view::npos ? 0 : int(mantissa_end - point) - 1;
    return std::min(0.1, std::pow(10.0, double(exponent) - decimals));
}

ClaimedAverage read_average(const Header& header, const std::string& key)
{
    if (!header.has(key)) return {};
    const std::string& text = header.value(key);
    const auto value = parse_number<double>(text);
    if (!value || !std::isfinite(*value)) return {text, {}};
    return {text, value, last_digit(text)};
}

} // namespace

GaugeFileHeader read_nersc_header(const FileBytes& bytes)
{
    const Header header(bytes);
    GaugeFileHeader out;
    out.links = read_link_format(header);
    out.lattice = read_extents(header);
    require_lattice(out.lattice, bytes.name());
    out.format_name =
        fmt::format("NERSC, {} rows, {}", out.links.rows, header.value("FLOATING_POINT"));
    out.word_sum = parse_hex32(header.value("CHECKSUM"));
    if (!out.word_sum) throw header.bad_value("CHECKSUM", "up to 8 hexadecimal digits");
    out.plaquette = read_average(header, "PLAQUETTE");
    out.link_trace = read_average(header, "LINK_TRACE");
    out.data_offset = header.length();
    require_data_to_the_end(bytes, out);
    if (!header.ends_with_a_line())
        out.notes.push_back(fmt::format(
            "{}: END_HEADER has no line end; the file's size says where the links begin",
            bytes.name()));
    if (!read_floating_point(header).big_endian) {
        LinkFormat little = out.links;
        little.big_endian = false;
        if (first_links_are_valid(bytes, out.data_offset, little)) out.links = little;
        out.format_name += out.links.big_endian ? ", big-endian" : ", little-endian";
    }
    return out;
}

std::string nersc_header(const Extents& lattice, const LinkFormat& links, const NerscTotals& totals)
{
    std::string out = fmt::format("BEGIN_HEADER\nHDR_VERSION = 1.0\nDATATYPE = {}\n"
                                  "STORAGE_FORMAT = 1.0\n",
                                  links.rows == 2 ? two_rows : three_rows);
    for (int mu = 0; mu < 4; ++mu) out += fmt::format("DIMENSION_{} = {}\n", mu + 1, lattice[mu]);
    for (int mu = 0; mu < 4; ++mu) out += fmt::format("BOUNDARY_{} = PERIODIC\n", mu + 1);
    // Not looked at here, but some readers end without them.
    out += "ENSEMBLE_ID = qcd_starpu\nENSEMBLE_LABEL = field\nSEQUENCE_NUMBER = 0\n"
           "CREATOR = qcd_starpu\n";
    out += fmt::format("CHECKSUM = {:08x}\nLINK_TRACE = {:15.12f}\nPLAQUETTE = {:15.12f}\n",
                       totals.checksum, totals.link_trace, totals.plaquette);
    return out + fmt::format("FLOATING_POINT = IEEE{}{}\nEND_HEADER\n", links.bits,
                             links.big_endian ? "BIG" : "LITTLE");
}

} // namespace qcd

#include "traces/paje.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>

namespace qcd
{

namespace
{

/// StarPU's numbers of events: those below define types and have no time, the others begin with it.
constexpr int first_timed_event = 7;

/// The first one, in `line`; empty at its end.
std::string_view next_field(std::string_view line)
{
    constexpr const char* blanks = " \t";
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    return line.substr(0, line.find_first_of(blanks));
}

std::string_view behind(std::string_view line, std::string_view field)
{
    return line.substr(std::size_t(field.end() - line.begin()));
}

template <class T>
T parse(std::string_view field, const std::string& line)
{
    const auto value = parse_number<T>(field);
    if (!value) throw Error("paje: unexpected line {}", qcd::quoted(line));
    return *value;
}

} // namespace

void crop_paje(std::istream& in, std::ostream& out, double start_ms, double end_ms)
{
    for (std::string line; std::getline(in, line);) {
        const std::string_view number = next_field(line);
        const bool event = !number.empty() && number[0] != '%' && number[0] != '#';
        if (event && parse<int>(number, line) >= first_timed_event) {
            const std::string_view time = next_field(behind(line, number));
            const double ms = std::clamp(parse<double>(time, line), start_ms, end_ms) - start_ms;
            line = fmt::format("{}\t{:.9f}{}", number, ms, behind(line, time));
        }
        out << line << '\n';
    }
}

} // namespace qcd

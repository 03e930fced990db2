#include "traces/paje.hpp"

#include "lattice/error.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <istream>
#include <ostream>
#include <string>

namespace qcd
{

namespace
{

/// StarPU's numbers of events: those below define types and have no time, the others begin with it.
constexpr int first_timed_event = 7;

struct Field {
    const char *begin, *end;
};

Field next_field(const char* p, const char* end)
{
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    const char* begin = std::find_if_not(p, end, blank);
    return {begin, std::find_if(begin, end, blank)};
}

template <class T>
T parse(Field f, const std::string& line)
{
    T value{};
    const auto [rest, status] = std::from_chars(f.begin, f.end, value);
    if (status != std::errc() || rest != f.end)
        throw Error(fmt::format("paje: unexpected line '{}'", line));
    return value;
}

} // namespace

void crop_paje(std::istream& in, std::ostream& out, double start_ms, double end_ms)
{
    for (std::string line; std::getline(in, line);) {
        const char* end = line.data() + line.size();
        const Field number = next_field(line.data(), end);
        const bool event = number.begin != end && *number.begin != '%' && *number.begin != '#';
        if (event && parse<int>(number, line) >= first_timed_event) {
            const Field time = next_field(number.end, end);
            const double ms = std::clamp(parse<double>(time, line), start_ms, end_ms) - start_ms;
            line = fmt::format("{}\t{:.9f}{}", std::string(number.begin, number.end), ms,
                               std::string(time.end, end));
        }
        out << line << '\n';
    }
}

} // namespace qcd

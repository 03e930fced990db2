#include "runtime/omp_places.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>
#include <string_view>

namespace qcd
{

namespace
{

/// CPUs from the lowest to the highest, of a place or of several.
struct Range {
    long lowest, highest;
};

/// Reads a value of OMP_PLACES from left to right.
class Places
{
public:
    Places(std::string_view value, int cpus) : value_(value), rest_(value), cpus_(cpus) {}

    void check()
    {
        if (!name()) list();
        if (!skip_blanks().empty()) fail();
    }

private:
    /// Such as "cores", "threads(4)".
    bool name()
    {
        std::string word;
        for (skip_blanks(); begins(std::isalpha) || rest_.starts_with('_'); rest_.remove_prefix(1))
            word += char(std::tolower(rest_[0]));
        if (word.empty()) return false;
        constexpr std::string_view known[] = {"threads", "cores", "sockets", "ll_caches",
                                              "numa_domains"};
        if (std::find(std::begin(known), std::end(known), word) == std::end(known)) fail();
        if (take('(') && (number() < 1 || !take(')'))) fail();
        return true;
    }
    void list()
    {
        do {
            const Range r = place();
            if (r.lowest < 0 || r.highest >= cpus_)
                throw Error("OMP_PLACES: no CPU {}: this machine has {}",
                            r.lowest < 0 ? r.lowest : r.highest,
                            cpus_ > 1 ? fmt::format("0 to {}", cpus_ - 1) : "0 alone");
        } while (take(','));
    }
    /// CPUs in braces; "!" leaves out.
    Range place()
    {
        take('!');
        if (!take('{')) fail();
        Range all = cpu();
        while (take(',')) {
            const Range more = cpu();
            all = {std::min(all.lowest, more.lowest), std::max(all.highest, more.highest)};
        }
        if (!take('}')) fail();
        return repeated(all);
    }
    Range cpu()
    {
        take('!');
        const long first = number();
        return repeated({first, first});
    }
    /// Reads ":count:stride" where that stands behind the range.
    Range repeated(Range one)
    {
        if (!take(':')) return one;
        const long count = number();
        if (count < 1) fail();
        long stride = 1;
        if (take(':')) {
            const bool down = take('-');
            stride = down ? -number() : number();
        }
        const long last = (count - 1) * stride;
        return {one.lowest + std::min(0L, last), one.highest + std::max(0L, last)};
    }
    long number()
    {
        std::string digits;
        for (skip_blanks(); begins(std::isdigit); rest_.remove_prefix(1)) digits += rest_[0];
        const auto n = parse_number<int>(digits);
        if (!n) fail();
        return *n;
    }
    bool take(char c)
    {
        const bool there = skip_blanks().starts_with(c);
        if (there) rest_.remove_prefix(1);
        return there;
    }
    std::string_view skip_blanks()
    {
        while (begins(std::isspace)) rest_.remove_prefix(1);
        return rest_;
    }
    bool begins(int (*with)(int)) const
    {
        return !rest_.empty() && with(static_cast<unsigned char>(rest_[0]));
    }
    [[noreturn]] void fail() const
    {
        throw Error("OMP_PLACES: {} is not a list of places, as 'cores', 'threads(4)', "
                    "'{{0,1}},{{2,3}}' or '{{0:2}}:4:2'",
                    quoted(value_));
    }

    std::string_view value_, rest_;
    int cpus_;
};

} // namespace

void check_places(int cpus)
{
    if (const char* const value = std::getenv("OMP_PLACES")) Places(value, cpus).check();
}

} // namespace qcd

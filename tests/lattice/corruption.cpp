#include "tests/lattice/corruption.hpp"

#include "base/error.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using Catch::Contains;

namespace qcd::test
{

namespace
{

void check_refused(const Corruption& corruption, const Load& load)
{
    CAPTURE(corruption.name);
    try {
        load(corruption.bytes());
        FAIL_CHECK("accepted");
    } catch (const Error& error) {
        const std::string line = error.what();
        CHECK_THAT(line, Contains(corruption.message));
        CHECK(line.starts_with("made: "));
        CHECK(line.find('\n') == std::string::npos);
        CHECK(line.size() < 250);
        CHECK(error.exit_status() == exit_bad_input);
    }
}

} // namespace

const Field& good_field()
{
    static const Field made = load_spec("random:11", good_lattice);
    return made;
}

Field with(std::size_t index, double value)
{
    Field out = good_field();
    out.links[index] = value;
    return out;
}

Field with_negative_link(std::size_t index)
{
    Field out = good_field();
    for (std::size_t i = 18 * index; i < 18 * index + 18; ++i) out.links[i] = -out.links[i];
    return out;
}

Field with_exchanged_links()
{
    Field out = good_field();
    std::swap_ranges(out.links.begin(), out.links.begin() + 18, out.links.begin() + 18 * 9);
    return out;
}

std::string cut(const std::string& bytes, std::size_t from_end)
{
    return bytes.substr(0, bytes.size() - from_end);
}

std::string patched(std::string bytes, std::size_t at, const std::string& with)
{
    return bytes.replace(at, with.size(), with);
}

std::string flipped(std::string bytes, std::size_t at)
{
    bytes.at(at) ^= 1;
    return bytes;
}

void load_gauge(const std::string& bytes) { load_bytes(bytes); }

void check_all_refused(const std::vector<Corruption>& table, const Load& load)
{
    for (const Corruption& corruption : table) check_refused(corruption, load);
}

void check_truncations_refused(const std::string& bytes, const Load& load)
{
    for (std::size_t size = 0; size < bytes.size(); size += size < 1500 ? 1 : 97)
        CHECK_THROWS_AS(load(bytes.substr(0, size)), Error);
}

} // namespace qcd::test

#include "tests/fuzz/gauge_file_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    // A small lattice, without which nothing beyond the header is looked at: t, x, y of 2, z as it
    // comes.
    using namespace std::string_view_literals;
    return qcd::test::read_as_gauge_file("\2\0\0\0\2\0\0\0\2\0\0\0"sv, data, size);
}

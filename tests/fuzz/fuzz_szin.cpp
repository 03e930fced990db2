#include "tests/fuzz/gauge_file_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace std::string_view_literals; // a date of one word, no banner
    return qcd::test::read_as_gauge_file("\0\0\0\1\0\0\0\0"sv, data, size);
}

#include "tests/fuzz/gauge_file_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    return qcd::test::read_as_gauge_file("BEGIN_HEADER", data, size);
}

#include "tests/fuzz/gauge_file_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    return qcd::test::read_as_gauge_file("\x45\x67\x89\xab", data, size);
}

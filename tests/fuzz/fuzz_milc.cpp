#include "tests/fuzz/gauge_file_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace std::string_view_literals;
    const bool big_endian = size > 0 && data[0] == 0;
    return qcd::test::read_as_gauge_file(big_endian ? "\x00\x00\x4e\x87"sv : "\x87\x4e\x00\x00"sv,
                                         data, size);
}

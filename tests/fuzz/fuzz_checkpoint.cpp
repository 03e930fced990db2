// Any bytes are a checkpoint that can be read, each of its vectors, or an Error of one line.

#include "lattice/error.hpp"
#include "lattice/files/checkpoint_file.hpp"
#include "tests/fuzz/gauge_file_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace std::string_view_literals;
    constexpr auto signature = "\x45\x67\x89\xab"sv;
    constexpr auto type = "qcd-checkpoint\0"sv;
    constexpr std::size_t type_offset = 16;
    if (size < type_offset + type.size()) return -1;
    std::vector<std::byte> bytes(size);
    std::memcpy(bytes.data(), data, size);
    std::memcpy(bytes.data(), signature.data(), signature.size());
    std::memcpy(bytes.data() + type_offset, type.data(), type.size());
    try {
        const qcd::CheckpointFile file(qcd::memory_bytes("fuzz", bytes));
        for (std::size_t i = 0; i < file.header().vectors.size(); ++i) file.read_vector(i);
    } catch (const qcd::Error& error) {
        qcd::test::require_line(error.what());
    }
    return 0;
}

// Any bytes are a checkpoint that can be read, each of its vectors, or an Error of one line. As
// they come, and with checksums made right, behind which there is more to read.

#include "base/error.hpp"
#include "lattice/files/checkpoint_file.hpp"
#include "lattice/files/checksum.hpp"
#include "lattice/files/lime.hpp"
#include "tests/fuzz/gauge_file_fuzz.hpp"

#include <fmt/format.h>

namespace qcd::test
{

namespace
{

void read_checkpoint(const std::vector<std::byte>& bytes)
{
    try {
        const CheckpointFile file(memory_bytes("fuzz", bytes));
        for (std::size_t rhs = 0; rhs < file.header().sides.size(); ++rhs)
            for (std::size_t i = 0; i < file.header().vectors.size(); ++i) file.read_vector(i, rhs);
    } catch (const Error& error) {
        require_line(error.what());
    }
}

/// The last record becomes the checksums of those before, as far as there is room.
void correct_sums(std::vector<std::byte>& bytes)
{
    const auto memory = memory_bytes("fuzz", bytes);
    std::string sums;
    try {
        LimeReader reader(*memory);
        std::optional<LimeRecord> last;
        for (auto next = reader.next(); next; next = reader.next()) {
            if (last)
                sums += fmt::format("{:016x}\n",
                                    xxh64(std::span(bytes).subspan(last->offset, last->length)));
            last = next;
        }
        if (last)
            std::memcpy(&bytes[last->offset], sums.data(),
                        std::min<std::uint64_t>(sums.size(), last->length));
    } catch (const Error&) {
    }
}

} // namespace

} // namespace qcd::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace std::string_view_literals;
    constexpr auto signature = "\x45\x67\x89\xab"sv, type = "qcd-checkpoint\0"sv;
    constexpr std::size_t type_offset = 16;
    if (size < type_offset + type.size()) return -1;
    std::vector<std::byte> bytes(size);
    std::memcpy(bytes.data(), data, size);
    std::memcpy(bytes.data(), signature.data(), signature.size());
    std::memcpy(bytes.data() + type_offset, type.data(), type.size());
    qcd::test::read_checkpoint(bytes);
    qcd::test::correct_sums(bytes);
    qcd::test::read_checkpoint(bytes);
    return 0;
}

// Any bytes are spinors that can be read, each site of them, or an Error of one line.

#include "base/error.hpp"
#include "lattice/files/file_check.hpp"
#include "tests/fuzz/gauge_file_fuzz.hpp"

namespace qcd::test
{

namespace
{

void read_spinors(const std::vector<std::byte>& bytes, const SpinorReading& reading)
{
    // `check` knows none; what the sums then cost is bounded by the file's size.
    const auto lattice = reading.basis ? std::optional(Extents{2, 2, 2, 2}) : std::nullopt;
    holds_spinors(*memory_bytes("fuzz", bytes));
    try {
        const SpinorFile file = open_spinor_file(memory_bytes("fuzz", bytes), lattice, reading);
        for (const std::string& note : file.notes()) require_line(note);
        file.verify();
        for (int number = 0; number < file.spinors(); ++number) {
            double s[24];
            file.spinor(number)->site({1, 1, 1, 1}, s);
        }
    } catch (const Error& error) {
        require_line(error.what());
    }
}

} // namespace

} // namespace qcd::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    constexpr std::string_view signature = "\x45\x67\x89\xab";
    if (size < signature.size()) return -1;
    std::vector<std::byte> bytes(size);
    std::memcpy(bytes.data(), data, size);
    std::memcpy(bytes.data(), signature.data(), signature.size());
    qcd::test::read_spinors(bytes, {});
    qcd::test::read_spinors(bytes, {.basis = qcd::SpinBasis::dirac,
                                    .phases = qcd::BoundaryPhases::spread,
                                    .angles = qcd::Theta{0.5, 0, 0, 1}});
    return 0;
}

#pragma once
// The checksums of files of fields, over the bytes as stored. All are sums over sites that may be
// added in any order, so sites can be summed in parallel.

#include <cstddef>
#include <cstdint>
#include <span>

namespace qcd
{

/// NERSC: sum modulo 2^32 of the data read as 32-bit words in the file's byte order.
std::uint32_t word_sum(std::span<const std::byte> bytes, bool big_endian);

/// SciDAC: CRC32 of each site's bytes, rotated left by rank mod 29 (suma) and rank mod 31 (sumb),
/// combined by exclusive or. rank is the site number.
struct ScidacChecksum {
    std::uint32_t suma = 0, sumb = 0;

    static ScidacChecksum of_site(std::uint64_t rank, std::span<const std::byte> bytes);
    ScidacChecksum& operator^=(const ScidacChecksum& other);
    bool operator==(const ScidacChecksum&) const = default;
};

/// MILC: each 32-bit word of the data, rotated left by its number mod 29 (sum29) and mod 31
/// (sum31), combined by exclusive or.
struct MilcChecksum {
    std::uint32_t sum29 = 0, sum31 = 0;

    /// rank is the site number; all sites have as many words.
    static MilcChecksum of_site(std::uint64_t rank, std::span<const std::byte> bytes,
                                bool big_endian);
    MilcChecksum& operator^=(const MilcChecksum& other);
    bool operator==(const MilcChecksum&) const = default;
};

/// What the checksums of a file are of the sites that have been read.
struct ReadSums {
    long sites = 0;
    std::uint32_t words = 0; ///< word_sum()
    ScidacChecksum scidac{};
    MilcChecksum milc{};
    double moved = 0; ///< farthest that reunitarization moved an element of a link

    ReadSums& operator+=(const ReadSums& of_other_sites);
};

/// xxHash's XXH64, seed 0.
std::uint64_t xxh64(std::span<const std::byte> bytes);

} // namespace qcd

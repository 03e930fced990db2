#pragma once
// One small good field and the ways to spoil a file of it.

#include "tests/lattice/made_files.hpp"

#include <functional>
#include <limits>

namespace qcd::test
{

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

inline constexpr Extents good_lattice{2, 4, 2, 2};

const Field& good_field();

/// The good field with one number changed.
Field with(std::size_t index, double value);

/// The good field with link `index` multiplied by -1: unitary, determinant -1.
Field with_negative_link(std::size_t index);

/// The good field with two links exchanged: in SU(3), with another plaquette.
Field with_exchanged_links();

std::string cut(const std::string& bytes, std::size_t from_end);
std::string patched(std::string bytes, std::size_t at, const std::string& with);
std::string flipped(std::string bytes, std::size_t at); ///< the lowest bit of a byte

struct Corruption {
    const char* name;
    std::function<std::string()> bytes;
    const char* message; ///< the part of it that says why
};

/// Reads all of a file called "made"; throws what is wrong with it.
using Load = std::function<void(const std::string& bytes)>;
void load_gauge(const std::string& bytes);

/// Checks what a user sees of each: one short line that names the file and the problem, exit
/// status 2.
void check_all_refused(const std::vector<Corruption>& table, const Load& load = load_gauge);

/// The file cut anywhere is refused.
void check_truncations_refused(const std::string& bytes, const Load& load = load_gauge);

} // namespace qcd::test

#pragma once
// Files of spinors put together byte by byte, with no code in common with the readers and writers
// under test.

#include "lattice/files/spinor_file.hpp"
#include "tests/lattice/made_files.hpp"

#include <string>
#include <vector>

namespace qcd::test
{

inline constexpr Extents made_spinor_lattice{4, 2, 6, 2};

/// Opens the bytes as a file called "made".
SpinorFile open_spinors(const std::string& bytes, const SpinorReading& = {});

using Numbers = std::vector<double>; ///< 24 a site

/// Normal; each number of its own.
Numbers random_spinor(const Extents& lattice, std::uint64_t seed);
std::vector<Numbers> random_propagator(const Extents& lattice, std::uint64_t seed);

/// psi(x) exp(i sign pi sum_mu theta_mu x_mu / L_mu) on that lattice.
Numbers turned(Numbers psi, const Theta& theta, int sign);

/// The records of one field of spinors in a QIO file, and those before it.
std::vector<LimeRecord> scidac_spinor_records(const Numbers& psi, int bits,
                                              const std::string& user_xml);
LimeFile scidac_spinor_file(const std::vector<Numbers>& spinors, int bits,
                            const std::vector<std::string>& user_xml);

/// One record with all of them at each site, one after the other.
LimeFile packed_spinors(const std::vector<Numbers>& spinors, int bits, const std::string& datatype);

/// USQCD's XML of the spinor of a source; 3 spin + colour.
std::string usqcd_text(int source);

/// Chroma's: [spin][spin of the source][colour][colour of the source] at each site.
LimeFile chroma_propagator(const std::vector<Numbers>& spinors, int bits);

/// tmLQCD's, of a propagator-type.
LimeFile etmc_file(const std::vector<Numbers>& spinors, int bits, const std::string& type);

} // namespace qcd::test

#pragma once
// Spinors as tmLQCD, CL2QCD and others of ETMC's codes write them: LIME with, for each spinor, the
// records
//   etmc-propagator-format or etmc-source-format   XML: field, precision, flavours, lx, ly, lz, lt
//   scidac-binary-data                             big-endian, site order
//   scidac-checksum                                need not be there
// and before them propagator-type or source-type, which says whether every second one is a source.
// Their basis is chiral, and the phases of the boundaries are spread over all links.

#include "lattice/files/spinor_file.hpp"

namespace qcd
{

/// Is a LIME record of this type one that these files have and others not?
bool is_etmc_format(const std::string& type);

/// tmLQCD says lx where lz belongs: where all else is as of `lattice`, if that is known, it is
/// forgiven. Throws Error.
SpinorFileHeader read_etmc_spinors(const FileBytes& bytes, const std::optional<Extents>& lattice);

} // namespace qcd

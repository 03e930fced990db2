#pragma once
// Spinors in SciDAC files (scidac.hpp), as Chroma, QUDA, MILC, USQCD's codes and this program write
// them: fields of one spinor a site or of several, one after the other; or one field of a
// propagator, Chroma's. scidac_datum.hpp tells which. Where the users' XML of twelve fields says
// spin and colour of a source (USQCD's usqcdPropInfo), or that of the file names a type of USQCD's
// propagators, twelve spinors are a propagator; fields that a usqcdSourceInfo comes with are its
// sources, and left out. This program's XML has three elements more: <spinBasis>, <boundaryPhases>,
// and the <digest> of each spinor.

#include "lattice/files/spinor_file.hpp"

namespace qcd
{

/// Throws Error.
SpinorFileHeader read_scidac_spinors(const FileBytes& bytes);

} // namespace qcd

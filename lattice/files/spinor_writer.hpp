#pragma once
// Spinor fields to files; the file appears when it is complete.

#include "lattice/boundary_phases.hpp"
#include "lattice/extents.hpp"
#include "lattice/spin_basis.hpp"

#include <memory>
#include <string>

namespace qcd
{

/// What a file of spinors is to be.
struct SpinorFileKind {
    Extents lattice{};
    int bits = 64; ///< 32 or 64: numbers are rounded to it
    SpinBasis basis = SpinBasis::degrand_rossi;
    int spinors = 1;
    bool propagator =
        false;              ///< that they are, twelve; in DeGrand-Rossi only, as in others they mix
    std::string info = {};  ///< what it is: a line for who reads the file
    SaidPhases phases = {}; ///< where the phases of the boundaries are to be
};

class SpinorWriter
{
public:
    /// Removes the temporary file unless finish() was called; a file already there stays as it was.
    virtual ~SpinorWriter() = default;

    /// The next site, in site order, of the next spinor, those of a propagator in the order of
    /// 3 spin + colour of its source; in DeGrand-Rossi, phases at the boundary. Throws Error.
    virtual void add_site(const double spinor[24]) = 0;

    /// Ends the file after the last site.
    virtual void finish() = 0;
};

/// HDF5 of the layout in hdf5_fields.hpp if the path ends in .h5 or .hdf5, otherwise SciDAC with the
/// records of scidac_spinors.hpp. Throws Error, for HDF5 also in a build without it.
std::unique_ptr<SpinorWriter> make_spinor_writer(const std::string& path,
                                                 const SpinorFileKind& kind);

} // namespace qcd

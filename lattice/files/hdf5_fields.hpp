#pragma once
// Fields in HDF5 files (hdf5_dataset.hpp), layouts of this program: datasets
//   gauge     [t][z][y][x][mu = x,y,z,t][row][column]
//   spinors   [number][t][z][y][x][spin][colour]
// with the attributes
//   format        "qcd_starpu gauge 1", "qcd_starpu spinors 1"; others: not this layout
//   checksum      SciDAC's suma and sumb of the bytes of the sites, for each spinor; may lack
//   spin_basis    of spinors; may lack
//   boundary_phases   of spinors, as SciDAC's element (boundary_phases.hpp); may lack
//   propagator    1: spinors are the 12 of a propagator, number 3 spin + colour of the source
//   digest        of each spinor (spinor_digest.hpp); may lack
//   info          for who reads it

#include "lattice/files/gauge_file.hpp"
#include "lattice/files/gauge_writer.hpp"
#include "lattice/files/spinor_file.hpp"
#include "lattice/files/spinor_writer.hpp"

namespace qcd
{

inline constexpr const char* hdf5_gauge = "gauge";
inline constexpr const char* hdf5_spinors = "spinors";

bool is_hdf5(const FileBytes& bytes);

/// Throw Error.
GaugeFileHeader read_hdf5_gauge_header(const FileBytes& bytes);
SpinorFileHeader read_hdf5_spinors(const FileBytes& bytes);

/// What a file without its numbers and sums is made of.
struct Hdf5Dataset;
Hdf5Dataset hdf5_gauge_dataset(const Extents& lattice, int bits);
Hdf5Dataset hdf5_spinors_dataset(const SpinorFileKind& kind);

} // namespace qcd

#pragma once
// A dataset of complex numbers in an HDF5 file, as h5py writes numpy's: a compound of two IEEE
// reals r and i, of 32 or 64 bits. It lies in one piece (contiguous, no filters), so that only what
// describes it goes through the HDF5 library; the numbers are read and written where they lie.

#include "base/atomic_file.hpp"
#include "lattice/files/file_bytes.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace qcd
{

struct Hdf5Attributes {
    std::map<std::string, std::string> texts;
    std::map<std::string, std::vector<std::uint64_t>> numbers; ///< whole ones of at least 0
};

struct Hdf5Dataset {
    std::vector<std::uint64_t> shape; ///< slowest index first
    int bits = 64;                    ///< of a real
    bool big_endian = false;
    std::uint64_t offset = 0; ///< of the first number in the file
    Hdf5Attributes attributes;
};

/// Has this build the HDF5 library? The other functions throw Error where it has not.
bool has_hdf5();

/// Is there such a dataset? No in a file that the library cannot open.
bool has_hdf5_dataset(const FileBytes& bytes, const std::string& dataset);

/// Throws Error where there is no such dataset, or its numbers do not all lie in the file.
Hdf5Dataset read_hdf5(const FileBytes& bytes, const std::string& dataset);

/// Makes an HDF5 file of one to which nothing was appended. It has room for the dataset's numbers,
/// little-endian, which are still to be written from the offset returned on.
std::uint64_t create_hdf5(const AtomicFile& file, const std::string& dataset,
                          const Hdf5Dataset& what);

/// Other numbers in an attribute of as many.
void set_hdf5_numbers(const AtomicFile& file, const std::string& dataset,
                      const std::string& attribute, const std::vector<std::uint64_t>& numbers);

} // namespace qcd

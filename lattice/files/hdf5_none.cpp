// In place of hdf5_reader.cpp and hdf5_writer.cpp where the library is not there.

#include "base/error.hpp"
#include "lattice/files/hdf5_dataset.hpp"

namespace qcd
{

namespace
{

Error without_hdf5(const std::string& file)
{
    return Error("{}: HDF5, which this build was made without", file);
}

} // namespace

bool has_hdf5() { return false; }

bool has_hdf5_dataset(const FileBytes&, const std::string&) { return false; }

Hdf5Dataset read_hdf5(const FileBytes& bytes, const std::string&)
{
    throw without_hdf5(bytes.name());
}

std::uint64_t create_hdf5(const AtomicFile& file, const std::string&, const Hdf5Dataset&)
{
    throw without_hdf5(file.name());
}

void set_hdf5_numbers(const AtomicFile& file, const std::string&, const std::string&,
                      const std::vector<std::uint64_t>&)
{
    throw without_hdf5(file.name());
}

} // namespace qcd

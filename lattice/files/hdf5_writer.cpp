// HDF5 files: what is written.

#include "lattice/files/hdf5_dataset.hpp"
#include "lattice/files/hdf5_handle.hpp"

#include <fmt/format.h>

namespace qcd
{

namespace
{

Error cannot_write_hdf5(const AtomicFile& file) { return hdf5_error(file.name(), "cannot write"); }

Hdf5Handle complex_type(int bits)
{
    const hid_t real = bits == 32 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    const std::size_t size = std::size_t(bits) / 8;
    const hid_t type = H5Tcreate(H5T_COMPOUND, 2 * size);
    H5Tinsert(type, "r", 0, real);
    H5Tinsert(type, "i", size, real);
    return {type, H5Tclose};
}

bool write_attributes(hid_t dataset, const Hdf5Attributes& all)
{
    bool good = true;
    for (const auto& [name, text] : all.texts) {
        const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
        H5Tset_size(type, text.size() + 1);
        H5Tset_cset(type, H5T_CSET_UTF8);
        const Hdf5Handle made(
            H5Acreate2(dataset, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
        good = good && H5Awrite(made, type, text.c_str()) >= 0;
    }
    for (const auto& [name, numbers] : all.numbers) {
        const hsize_t count = numbers.size();
        const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
        const Hdf5Handle made(
            H5Acreate2(dataset, name.c_str(), H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT),
            H5Aclose);
        good = good && H5Awrite(made, H5T_NATIVE_UINT64, numbers.data()) >= 0;
    }
    return good;
}

} // namespace

/// What the library says of errors is said here, in a line. When the process ends it would go once
/// more to files that could not be written, and crash.
void prepare_hdf5()
{
    static const bool prepared = H5dont_atexit() >= 0;
    (void)prepared; // no, where who called it first did without us
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Error hdf5_error(const std::string& file, const std::string& problem)
{
    return Error(fmt::format("{}: HDF5: {}", file, problem));
}

Hdf5Handle hdf5_file_access()
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_file_locking(access, false, true);
    return {access, H5Pclose};
}

bool has_hdf5() { return true; }

std::uint64_t create_hdf5(const AtomicFile& to, const std::string& name, const Hdf5Dataset& what)
{
    prepare_hdf5();
    const Hdf5Handle access = hdf5_file_access();
    const Hdf5Handle file(H5Fcreate(to.temporary().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access),
                          H5Fclose);
    if (!file.good()) throw cannot_write_hdf5(to);
    const std::vector<hsize_t> shape(what.shape.begin(), what.shape.end());
    const Hdf5Handle type = complex_type(what.bits),
                     space(H5Screate_simple(int(shape.size()), shape.data(), nullptr), H5Sclose),
                     properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_layout(properties, H5D_CONTIGUOUS);
    H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER);
    H5Pset_obj_track_times(properties, false); // the same field is the same file at any time
    const Hdf5Handle dataset(
        H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
        H5Dclose);
    if (!dataset.good() || !write_attributes(dataset, what.attributes)) throw cannot_write_hdf5(to);
    const haddr_t offset = H5Dget_offset(dataset);
    if (offset == HADDR_UNDEF || H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) throw cannot_write_hdf5(to);
    return offset;
}

void set_hdf5_numbers(const AtomicFile& to, const std::string& name, const std::string& attribute,
                      const std::vector<std::uint64_t>& numbers)
{
    prepare_hdf5();
    const Hdf5Handle access = hdf5_file_access();
    const Hdf5Handle file(H5Fopen(to.temporary().c_str(), H5F_ACC_RDWR, access), H5Fclose);
    const Hdf5Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    const Hdf5Handle there(H5Aopen(dataset, attribute.c_str(), H5P_DEFAULT), H5Aclose);
    const Hdf5Handle space(H5Aget_space(there), H5Sclose);
    if (!there.good() || H5Sget_simple_extent_npoints(space) != hssize_t(numbers.size()) ||
        H5Awrite(there, H5T_NATIVE_UINT64, numbers.data()) < 0 ||
        H5Fflush(file, H5F_SCOPE_GLOBAL) < 0)
        throw cannot_write_hdf5(to);
}

} // namespace qcd

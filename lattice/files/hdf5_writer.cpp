// HDF5 files: what is written.

#include "base/text.hpp"
#include "lattice/files/hdf5_dataset.hpp"
#include "lattice/files/hdf5_handle.hpp"

#include <string_view>

namespace qcd
{

namespace
{

/// The system's reason, where the library's description quotes it; else the description.
std::string reason_in(const std::string& description)
{
    constexpr std::string_view quote = "error message = '";
    const std::size_t at = description.find(quote);
    if (at == std::string::npos) return one_line(description);
    const std::string said = description.substr(at + quote.size());
    return one_line(said.substr(0, said.find('\'')));
}

/// The library calls it for each error of its last call, the deepest first.
herr_t take_reason(unsigned number, const H5E_error2_t* error, void* reason)
{
    if (number == 0 && error->desc) *static_cast<std::string*>(reason) = reason_in(error->desc);
    return 0;
}

/// Right after the call that failed: the next one, also one that closes something, forgets it.
Error cannot_write_hdf5(const AtomicFile& file)
{
    std::string reason;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, &reason);
    return hdf5_error(file.name(), "cannot write" + (reason.empty() ? "" : ": " + reason));
}

/// What a call of the library returned.
template <class Status>
void require(Status status, const AtomicFile& file)
{
    if (status < 0) throw cannot_write_hdf5(file);
}

Hdf5Handle complex_type(int bits)
{
    const hid_t real = bits == 32 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    const std::size_t size = std::size_t(bits) / 8;
    const hid_t type = H5Tcreate(H5T_COMPOUND, 2 * size);
    H5Tinsert(type, "r", 0, real);
    H5Tinsert(type, "i", size, real);
    return {type, H5Tclose};
}

void write_attributes(const AtomicFile& file, hid_t dataset, const Hdf5Attributes& all)
{
    for (const auto& [name, text] : all.texts) {
        const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
        H5Tset_size(type, text.size() + 1);
        H5Tset_cset(type, H5T_CSET_UTF8);
        const Hdf5Handle made(
            H5Acreate2(dataset, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
        require(hid_t(made), file);
        require(H5Awrite(made, type, text.c_str()), file);
    }
    for (const auto& [name, numbers] : all.numbers) {
        const hsize_t count = numbers.size();
        const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
        const Hdf5Handle made(
            H5Acreate2(dataset, name.c_str(), H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT),
            H5Aclose);
        require(hid_t(made), file);
        require(H5Awrite(made, H5T_NATIVE_UINT64, numbers.data()), file);
    }
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
    return Error("{}: HDF5: {}", file, problem);
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
    require(hid_t(file), to);
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
    require(hid_t(dataset), to);
    write_attributes(to, dataset, what.attributes);
    const haddr_t offset = H5Dget_offset(dataset);
    if (offset == HADDR_UNDEF) throw cannot_write_hdf5(to);
    require(H5Fflush(file, H5F_SCOPE_GLOBAL), to);
    return offset;
}

void set_hdf5_numbers(const AtomicFile& to, const std::string& name, const std::string& attribute,
                      const std::vector<std::uint64_t>& numbers)
{
    prepare_hdf5();
    const Hdf5Handle access = hdf5_file_access();
    const Hdf5Handle file(H5Fopen(to.temporary().c_str(), H5F_ACC_RDWR, access), H5Fclose);
    require(hid_t(file), to);
    const Hdf5Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    require(hid_t(dataset), to);
    const Hdf5Handle there(H5Aopen(dataset, attribute.c_str(), H5P_DEFAULT), H5Aclose);
    require(hid_t(there), to);
    const Hdf5Handle space(H5Aget_space(there), H5Sclose);
    if (H5Sget_simple_extent_npoints(space) != hssize_t(numbers.size()))
        throw hdf5_error(to.name(), "cannot write: the attribute has another size");
    require(H5Awrite(there, H5T_NATIVE_UINT64, numbers.data()), to);
    require(H5Fflush(file, H5F_SCOPE_GLOBAL), to);
}

} // namespace qcd

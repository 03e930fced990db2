#include "lattice/files/hdf5_dataset.hpp"

#include "lattice/error.hpp"
#include "lattice/text.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace qcd
{

namespace
{

constexpr hsize_t most_values = 1 << 16; ///< of an attribute

/// What the library gave, and how it is given back.
class Handle
{
public:
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    ~Handle()
    {
        if (id_ >= 0) close_(id_);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    operator hid_t() const { return id_; }
    bool good() const { return id_ >= 0; }

private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

/// What the library says of errors is said here, in a line. When the process ends it would go once
/// more to files that could not be written, and crash.
void prepare_library()
{
    static const bool prepared = H5dont_atexit() >= 0;
    (void)prepared; // no, where who called it first did without us
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Error hdf5_error(const std::string& file, const std::string& problem)
{
    return Error(fmt::format("{}: HDF5: {}", file, problem));
}

Error cannot_write_hdf5(const AtomicFile& file) { return hdf5_error(file.name(), "cannot write"); }

/// Files that are locked already, and on file systems without locks.
Handle file_access()
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_file_locking(access, false, true);
    return {access, H5Pclose};
}

Handle open_for_reading(const FileBytes& bytes)
{
    const Handle access = file_access();
    if (const std::span<const std::byte> image = bytes.in_memory(); !image.empty()) {
        H5Pset_fapl_core(access, 1 << 16, false);
        H5Pset_file_image(access, const_cast<std::byte*>(image.data()), image.size()); // is copied
    }
    return {H5Fopen(bytes.name().c_str(), H5F_ACC_RDONLY, access), H5Fclose};
}

struct RealType {
    hid_t type;
    int bits;
    bool big_endian;
};

/// The reals of a compound {r, i}.
std::optional<RealType> real_type_of(hid_t complex)
{
    if (H5Tget_class(complex) != H5T_COMPOUND || H5Tget_nmembers(complex) != 2) return {};
    for (const RealType& real :
         {RealType{H5T_IEEE_F32LE, 32, false}, RealType{H5T_IEEE_F32BE, 32, true},
          RealType{H5T_IEEE_F64LE, 64, false}, RealType{H5T_IEEE_F64BE, 64, true}}) {
        const std::size_t size = std::size_t(real.bits) / 8;
        bool same = H5Tget_size(complex) == 2 * size;
        for (unsigned member = 0; same && member < 2; ++member) {
            char* name = H5Tget_member_name(complex, member);
            const Handle type(H5Tget_member_type(complex, member), H5Tclose);
            same = name && std::strcmp(name, member == 0 ? "r" : "i") == 0 &&
                   H5Tget_member_offset(complex, member) == member * size &&
                   H5Tequal(type, real.type) > 0;
            H5free_memory(name);
        }
        if (same) return real;
    }
    return {};
}

hsize_t values_of(hid_t attribute)
{
    const Handle space(H5Aget_space(attribute), H5Sclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    return count < 0 ? 0 : hsize_t(count);
}

std::optional<std::string> text_of_attribute(hid_t attribute, hid_t type)
{
    if (values_of(attribute) != 1) return {};
    if (H5Tis_variable_str(type) > 0) {
        char* text = nullptr;
        if (H5Aread(attribute, type, &text) < 0 || !text) return {};
        std::string out = text;
        H5free_memory(text);
        return out;
    }
    const std::size_t size = H5Tget_size(type);
    if (size == 0 || size > most_values) return {};
    std::string out(size, '\0');
    if (H5Aread(attribute, type, out.data()) < 0) return {};
    return out.substr(0, out.find('\0'));
}

/// Called by the library for each attribute.
herr_t take_attribute(hid_t object, const char* name, const H5A_info_t*, void* out)
{
    auto& all = *static_cast<Hdf5Attributes*>(out);
    const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute), H5Tclose);
    if (!attribute.good() || !type.good()) return 0;
    if (H5Tget_class(type) == H5T_STRING) {
        if (const auto text = text_of_attribute(attribute, type)) all.texts[name] = *text;
    } else if (H5Tget_class(type) == H5T_INTEGER) {
        const hsize_t count = values_of(attribute);
        if (count == 0 || count > most_values) return 0;
        std::vector<std::uint64_t> numbers(count);
        if (H5Aread(attribute, H5T_NATIVE_UINT64, numbers.data()) >= 0) all.numbers[name] = numbers;
    }
    return 0;
}

Handle complex_type(int bits)
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
        const Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
        H5Tset_size(type, text.size() + 1);
        H5Tset_cset(type, H5T_CSET_UTF8);
        const Handle made(H5Acreate2(dataset, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                          H5Aclose);
        good = good && H5Awrite(made, type, text.c_str()) >= 0;
    }
    for (const auto& [name, numbers] : all.numbers) {
        const hsize_t count = numbers.size();
        const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
        const Handle made(
            H5Acreate2(dataset, name.c_str(), H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT),
            H5Aclose);
        good = good && H5Awrite(made, H5T_NATIVE_UINT64, numbers.data()) >= 0;
    }
    return good;
}

} // namespace

bool has_hdf5() { return true; }

Hdf5Dataset read_hdf5(const FileBytes& bytes, const std::string& name)
{
    prepare_library();
    const auto error = [&](const std::string& problem) {
        return hdf5_error(bytes.name(), problem);
    };
    const Handle file = open_for_reading(bytes);
    if (!file.good()) throw error("the library finds it damaged or truncated");
    const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset.good()) throw error(fmt::format("no dataset {}", qcd::quoted(name)));
    const Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose),
        properties(H5Dget_create_plist(dataset), H5Pclose);
    const auto real = real_type_of(type);
    if (!real) throw error(fmt::format("{} is no dataset of complex numbers, r and i", name));
    if (H5Pget_layout(properties) != H5D_CONTIGUOUS || H5Pget_nfilters(properties) != 0 ||
        H5Pget_external_count(properties) != 0)
        throw error(
            fmt::format("{} is in chunks, compressed or elsewhere; h5repack -l CONTI -f NONE "
                        "puts it in one piece",
                        name));
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 1 || rank > H5S_MAX_RANK) throw error(fmt::format("{} has no shape", name));
    std::vector<hsize_t> shape(std::size_t(rank), 0);
    H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    Hdf5Dataset out{{shape.begin(), shape.end()}, real->bits, real->big_endian, 0, {}};
    const haddr_t offset = H5Dget_offset(dataset);
    const hsize_t size = H5Dget_storage_size(dataset);
    if (offset == HADDR_UNDEF || offset > bytes.size() || size > bytes.size() - offset)
        throw error(fmt::format("truncated: the numbers of {} are not all there", name));
    std::uint64_t numbers = 1;
    for (const hsize_t extent : shape) {
        if (extent == 0 || numbers > size / extent)
            throw error(fmt::format("{} is too small", name));
        numbers *= extent;
    }
    if (numbers * real->bits / 4 != size)
        throw error(fmt::format("{} is not as large as its shape says", name));
    out.offset = offset;
    hsize_t at = 0;
    H5Aiterate2(dataset, H5_INDEX_NAME, H5_ITER_NATIVE, &at, take_attribute, &out.attributes);
    return out;
}

std::uint64_t create_hdf5(const AtomicFile& to, const std::string& name, const Hdf5Dataset& what)
{
    prepare_library();
    const Handle access = file_access();
    const Handle file(H5Fcreate(to.temporary().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access),
                      H5Fclose);
    if (!file.good()) throw cannot_write_hdf5(to);
    const std::vector<hsize_t> shape(what.shape.begin(), what.shape.end());
    const Handle type = complex_type(what.bits),
                 space(H5Screate_simple(int(shape.size()), shape.data(), nullptr), H5Sclose),
                 properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_layout(properties, H5D_CONTIGUOUS);
    H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER);
    H5Pset_obj_track_times(properties, false); // the same field is the same file at any time
    const Handle dataset(
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
    prepare_library();
    const Handle access = file_access();
    const Handle file(H5Fopen(to.temporary().c_str(), H5F_ACC_RDWR, access), H5Fclose);
    const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle there(H5Aopen(dataset, attribute.c_str(), H5P_DEFAULT), H5Aclose);
    if (!there.good() || values_of(there) != numbers.size() ||
        H5Awrite(there, H5T_NATIVE_UINT64, numbers.data()) < 0 ||
        H5Fflush(file, H5F_SCOPE_GLOBAL) < 0)
        throw cannot_write_hdf5(to);
}

} // namespace qcd

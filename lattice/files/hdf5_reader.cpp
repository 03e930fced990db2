// HDF5 files: what is read. The library, which damaged files can make crash, does it in a process
// of its own.

#include "base/child_process.hpp"
#include "base/text.hpp"
#include "lattice/files/hdf5_dataset.hpp"
#include "lattice/files/hdf5_handle.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

namespace qcd
{

namespace
{

constexpr hsize_t most_values = 1 << 16; ///< of an attribute

constexpr std::size_t most_names = 3; ///< of datasets in a line

constexpr unsigned most_seconds = 60; ///< that the library may take

Hdf5Handle open_for_reading(const FileBytes& bytes)
{
    const Hdf5Handle access = hdf5_file_access();
    std::string name = bytes.name();
    if (const std::span<const std::byte> image = bytes.in_memory(); !image.empty()) {
        H5Pset_fapl_core(access, 1 << 16, false);
        H5Pset_file_image(access, const_cast<std::byte*>(image.data()), image.size()); // is copied
        name += " in memory"; // the library refuses an image beside a file of that name
    }
    return {H5Fopen(name.c_str(), H5F_ACC_RDONLY, access), H5Fclose};
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
            const Hdf5Handle type(H5Tget_member_type(complex, member), H5Tclose);
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
    const Hdf5Handle space(H5Aget_space(attribute), H5Sclose);
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
    const Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
    const Hdf5Handle type(H5Aget_type(attribute), H5Tclose);
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

struct OtherDatasets {
    std::vector<std::string> names;
    bool of_matrices = false; ///< Are the elements of one of them arrays, as QDP++ stores a site?
};

/// Called by the library for each link below a group.
herr_t take_dataset(hid_t group, const char* name, const H5L_info_t*, void* out)
{
    auto& all = *static_cast<OtherDatasets*>(out);
    const Hdf5Handle object(H5Oopen(group, name, H5P_DEFAULT), H5Oclose);
    if (!object.good() || H5Iget_type(object) != H5I_DATASET) return 0;
    all.names.emplace_back(name);
    const Hdf5Handle type(H5Dget_type(object), H5Tclose);
    all.of_matrices = all.of_matrices || H5Tget_class(type) == H5T_ARRAY;
    return all.names.size() > most_names ? 1 : 0;
}

/// ", but A, B, ...": what a file of another program has; "": nothing.
std::string other_datasets(hid_t file)
{
    OtherDatasets found;
    H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, take_dataset, &found);
    std::string list;
    for (std::size_t i = 0; i < std::min(found.names.size(), most_names); ++i)
        list += (i == 0 ? ", but " : ", ") + qcd::quoted(found.names[i]);
    return list + (found.names.size() > most_names ? ", ..." : "") +
           (found.of_matrices ? ": fields as QDP++ and Chroma store them, which are read from "
                                "their LIME files (QIO)"
                              : "");
}

Hdf5Dataset describe(const FileBytes& bytes, const std::string& name)
{
    prepare_hdf5();
    const auto error = [&](const std::string& problem) {
        return hdf5_error(bytes.name(), problem);
    };
    const Hdf5Handle file = open_for_reading(bytes);
    if (!file.good()) throw error("the library finds it damaged or truncated");
    const Hdf5Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset.good())
        throw error(fmt::format("no dataset {}{}", qcd::quoted(name), other_datasets(file)));
    const Hdf5Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose),
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

std::string pack(const Hdf5Dataset& d)
{
    std::string bytes;
    nlohmann::json::to_cbor({{"shape", d.shape},
                             {"bits", d.bits},
                             {"big_endian", d.big_endian},
                             {"offset", d.offset},
                             {"texts", d.attributes.texts},
                             {"numbers", d.attributes.numbers}},
                            bytes);
    return bytes;
}

Hdf5Dataset unpack(const std::string& bytes)
{
    const auto d = nlohmann::json::from_cbor(bytes);
    return {d["shape"], d["bits"], d["big_endian"], d["offset"], {d["texts"], d["numbers"]}};
}

} // namespace

bool has_hdf5_dataset(const FileBytes& bytes, const std::string& dataset)
{
    const auto look = [&] {
        prepare_hdf5();
        const Hdf5Handle file = open_for_reading(bytes);
        const bool there = file.good() && H5Lexists(file, dataset.c_str(), H5P_DEFAULT) > 0;
        return std::string(there ? "yes" : "");
    };
    return in_child_process(look, most_seconds).value_or("") == "yes";
}

Hdf5Dataset read_hdf5(const FileBytes& bytes, const std::string& dataset)
{
    const auto packed =
        in_child_process([&] { return pack(describe(bytes, dataset)); }, most_seconds);
    if (!packed) throw hdf5_error(bytes.name(), "damaged: the library crashed or did not end");
    return unpack(*packed);
}

} // namespace qcd

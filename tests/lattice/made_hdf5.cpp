#include "tests/lattice/made_hdf5.hpp"

#include "tests/scratch.hpp"

#include <hdf5.h>

#include <algorithm>

namespace qcd::test
{

namespace
{

unsigned long long sum_of(const std::string& checksum, const std::string& name)
{
    const std::size_t at = checksum.find("<" + name + ">") + name.size() + 2;
    return std::stoull(checksum.substr(at), nullptr, 16);
}

void write_texts(hid_t dataset, const Hdf5File& file)
{
    for (const auto& [name, text] : file.texts) {
        const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
        H5Tset_size(type,
                    file.variable_texts ? H5T_VARIABLE : std::max<std::size_t>(1, text.size()));
        const hid_t made = H5Acreate2(dataset, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
        const char* start = text.c_str();
        H5Awrite(made, type, file.variable_texts ? static_cast<const void*>(&start) : start);
        H5Aclose(made);
        H5Sclose(space);
        H5Tclose(type);
    }
}

void write_values(hid_t dataset, const Hdf5File& file)
{
    for (const auto& [name, values] : file.values) {
        const hsize_t count = values.size();
        const hid_t space =
            count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr);
        const hid_t made =
            H5Acreate2(dataset, name.c_str(), H5T_STD_I64BE, space, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(made, H5T_NATIVE_ULLONG, values.data());
        H5Aclose(made);
        H5Sclose(space);
    }
}

} // namespace

void Hdf5File::remove(const std::string& attribute)
{
    std::erase_if(texts, [&](const auto& a) { return a.first == attribute; });
    std::erase_if(values, [&](const auto& a) { return a.first == attribute; });
}

std::string Hdf5File::bytes() const
{
    const Scratch folder;
    const std::string path = folder / "made.h5";
    const std::size_t size = std::size_t(bits) / 8;
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const auto complex = [&](hid_t real, std::size_t of_real) {
        const hid_t type = H5Tcreate(H5T_COMPOUND, 2 * of_real);
        H5Tinsert(type, real_name.c_str(), 0, real);
        H5Tinsert(type, imaginary_name.c_str(), of_real, real);
        return type;
    };
    const hid_t real = bits == 32 ? (order == Order::big ? H5T_IEEE_F32BE : H5T_IEEE_F32LE)
                                  : (order == Order::big ? H5T_IEEE_F64BE : H5T_IEEE_F64LE);
    hid_t stored = complex(real, size), memory = complex(H5T_NATIVE_DOUBLE, 8);
    std::vector<hsize_t> extents(shape.begin(), shape.end());
    if (of_matrices) {
        for (hid_t* const type : {&stored, &memory})
            *type = H5Tarray_create2(*type, 2, &extents[extents.size() - 2]);
        extents.resize(extents.size() - 2);
    }
    const hid_t space = H5Screate_simple(int(extents.size()), extents.data(), nullptr);
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    if (chunked || compressed) H5Pset_chunk(properties, int(extents.size()), extents.data());
    if (compressed) H5Pset_deflate(properties, 6);
    const hid_t made =
        H5Dcreate2(file, dataset.c_str(), stored, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    H5Dwrite(made, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
    write_texts(made, *this);
    write_values(made, *this);
    H5Dclose(made);
    H5Pclose(properties);
    H5Sclose(space);
    H5Tclose(stored);
    H5Tclose(memory);
    H5Fclose(file);
    return read_text(path);
}

Hdf5File hdf5_gauge_file(const Field& field, int bits, Order order)
{
    Hdf5File file;
    file.dataset = "gauge";
    file.shape.assign(field.lattice.rbegin(), field.lattice.rend());
    for (const unsigned long long extent : {4, 3, 3}) file.shape.push_back(extent);
    file.numbers = field.links;
    file.bits = bits;
    file.order = order;
    const std::string sums =
        scidac_checksum_text(encode(field.links, bits, order), std::size_t(72) * bits / 8);
    file.texts = {{"format", "qcd_starpu gauge 1"}};
    file.values = {{"checksum", {sum_of(sums, "suma"), sum_of(sums, "sumb")}}};
    return file;
}

Hdf5File hdf5_spinor_file(const std::vector<std::vector<double>>& spinors, const Extents& lattice,
                          int bits)
{
    Hdf5File file;
    file.dataset = "spinors";
    file.shape = {spinors.size()};
    file.shape.insert(file.shape.end(), lattice.rbegin(), lattice.rend());
    file.shape.insert(file.shape.end(), {4, 3});
    file.bits = bits;
    file.texts = {{"format", "qcd_starpu spinors 1"}};
    file.values = {{"checksum", {}}};
    for (const auto& psi : spinors) {
        file.numbers.insert(file.numbers.end(), psi.begin(), psi.end());
        const std::string sums =
            scidac_checksum_text(encode(psi, bits, Order::little), std::size_t(24) * bits / 8);
        file.values[0].second.push_back(sum_of(sums, "suma"));
        file.values[0].second.push_back(sum_of(sums, "sumb"));
    }
    return file;
}

} // namespace qcd::test

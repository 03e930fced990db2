#pragma once
// HDF5 files made with the library alone, with no code in common with the readers and writers under
// test.

#include "tests/lattice/made_files.hpp"

#include <string>
#include <vector>

namespace qcd::test
{

/// A file of one dataset of complex numbers, as h5py would write it.
struct Hdf5File {
    std::string dataset;
    std::vector<unsigned long long> shape;
    std::vector<double> numbers; ///< re, im
    int bits = 64;
    Order order = Order::little;
    bool chunked = false, compressed = false, variable_texts = false;
    bool of_matrices = false; ///< The last two indices are those of an array at each site.
    std::string real_name = "r", imaginary_name = "i";
    std::vector<std::pair<std::string, std::string>> texts;
    std::vector<std::pair<std::string, std::vector<unsigned long long>>> values;

    void remove(const std::string& attribute);
    std::string bytes() const;
};

Hdf5File hdf5_gauge_file(const Field& field, int bits, Order order = Order::little);
Hdf5File hdf5_spinor_file(const std::vector<std::vector<double>>& spinors, const Extents& lattice,
                          int bits);

} // namespace qcd::test

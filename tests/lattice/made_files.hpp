#pragma once
// Gauge files put together byte by byte, with no code in common with the readers and writers under
// test.

#include "lattice/gauge_observables.hpp"
#include "lattice/gauge_source.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace qcd::test
{

struct Field {
    Extents lattice{};
    std::vector<double> links; ///< 72 reals a site, all sites
    GaugeObservables observables;
    std::vector<std::string> notes; ///< of the source
};

/// Streams a source from the first slice to finish().
Field load(GaugeSource& source);
Field load_spec(const std::string& spec, const Extents& lattice);

/// Loads the bytes as a file called "made".
Field load_bytes(const std::string& bytes, const std::optional<Extents>& lattice = {});

/// The largest |(U U^dagger - 1)_ij| of any link.
double unitarity_violation(const Field&);

enum class Order { big, little };

/// IEEE bytes of numbers; bits: 32 or 64.
std::string encode(const std::vector<double>& numbers, int bits, Order order);

/// The first two rows of every link.
std::vector<double> two_rows(const std::vector<double>& links);

/// What a file of this precision gives back: every number rounded to 32 bits.
std::vector<double> rounded(const std::vector<double>& links);

std::uint32_t crc32(const std::string& bytes);

struct NerscFile {
    std::vector<std::pair<std::string, std::string>> header; ///< KEY, VALUE
    std::string end = "END_HEADER\n";
    std::string data;

    std::string& operator[](const std::string& key);
    void remove(const std::string& key);
    std::string bytes() const;
};
NerscFile nersc_file(const Field& field, int rows, int bits, Order order,
                     const std::string& floating_point);

struct LimeRecord {
    std::string type, data;
    int flags = 0;
};
struct LimeFile {
    std::vector<LimeRecord> records;

    LimeRecord& operator[](const std::string& type);
    void remove(const std::string& type);
    std::string bytes() const;
};
std::string lime_record_bytes(const LimeRecord& record);
LimeFile ildg_file(const Field& field, int bits);

/// One field of links as QIO writes it.
LimeFile scidac_file(const Field& field, int bits);
std::string scidac_file_text(const Extents& lattice);
std::string scidac_record_text(const std::string& datatype, int bits, int typesize, int datacount);

/// MILC version 5: the header's words, then the links.
struct MilcFile {
    Order order = Order::big;
    std::uint32_t magic = 20103;
    std::vector<std::uint32_t> extents;
    std::string date;
    std::uint32_t sites_order = 0;
    std::uint32_t sum29 = 0, sum31 = 0;
    std::string data;

    std::string bytes() const;
};
MilcFile milc_file(const Field& field, Order order);

/// openQCD: the header's numbers, then the links of the odd sites.
struct OpenqcdFile {
    std::vector<std::uint32_t> extents; ///< t, x, y, z
    double plaquette = 0;
    std::string data;

    std::string bytes() const;
};
OpenqcdFile openqcd_file(const Field& field);

/// SZIN of version 7, the sizes and texts of which stand before the version: all words of 32 bits.
struct SzinFile {
    std::string date = "21 Nov 2026", banner = "made";
    std::uint32_t version = 7, dimensions = 4, colours = 3;
    int parameters = 25; ///< after the version, with dimensions and colours
    std::vector<std::uint32_t> extents;
    std::string data;

    std::string header() const;
    std::string bytes() const { return header() + data; }
};
SzinFile szin_file(const Field& field);

std::string ildg_format_text(const Extents& lattice, int bits);
std::string scidac_checksum_text(const std::string& data, std::size_t site_bytes);

/// `text` with the first `from` replaced; from must be there.
std::string replaced(std::string text, const std::string& from, const std::string& to);

} // namespace qcd::test

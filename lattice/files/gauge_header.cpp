// Which format a gauge file has.

#include "base/error.hpp"
#include "lattice/files/gauge_file.hpp"
#include "lattice/files/hdf5_fields.hpp"
#include "lattice/files/ildg.hpp"
#include "lattice/files/milc.hpp"
#include "lattice/files/nersc.hpp"
#include "lattice/files/openqcd.hpp"
#include "lattice/files/szin.hpp"

namespace qcd
{

namespace
{

constexpr const char* formats_read = "ILDG and SciDAC (LIME), NERSC, MILC, openQCD, SZIN and HDF5";

/// Names the format if it is one that is known but not read here.
Error not_read(const FileBytes& bytes)
{
    using namespace std::string_view_literals;
    constexpr std::pair<std::string_view, std::string_view> others[] = {
        {"\x1f\x8b"sv, "gzip compressed data"},
        {"BZh"sv, "bzip2 compressed data"},
        {"\x28\xb5\x2f\xfd"sv, "zstd compressed data"},
        {"{"sv, "JSON"},
    };
    const std::string start = bytes.text(0, 16);
    if (start.empty()) return Error("{}: empty file", bytes.name());
    for (const auto& [signature, name] : others)
        if (start.starts_with(signature))
            return Error("{}: {} is not supported, only {}", bytes.name(), name, formats_read);
    return Error("{}: not a gauge file: none of {}", bytes.name(), formats_read);
}

} // namespace

GaugeFileHeader read_gauge_header(const FileBytes& bytes, const std::optional<Extents>& lattice,
                                  std::optional<int> number)
{
    const std::string start = bytes.text(0, 16);
    if (start.starts_with("\x45\x67\x89\xab")) return read_ildg_header(bytes, lattice, number);
    if (number.value_or(0) != 0)
        throw Error("{}: no SciDAC file of several fields: there is no gauge field {}",
                    bytes.name(), *number);
    if (start.starts_with("BEGIN_HEADER")) return read_nersc_header(bytes);
    if (is_hdf5(bytes)) return read_hdf5_gauge_header(bytes);
    if (is_milc(bytes)) return read_milc_header(bytes);
    if (is_openqcd(bytes)) return read_openqcd_header(bytes);
    if (is_szin(bytes)) return read_szin_header(bytes);
    throw not_read(bytes);
}

} // namespace qcd

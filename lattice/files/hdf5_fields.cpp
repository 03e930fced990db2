#include "lattice/files/hdf5_fields.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/files/hdf5_dataset.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace qcd
{

namespace
{

constexpr std::string_view gauge_layout = "qcd_starpu gauge 1",
                           spinors_layout = "qcd_starpu spinors 1";

/// The fields of a file, which errors name.
class Fields
{
public:
    Fields(const FileBytes& bytes, const char* dataset, std::string_view layout)
        : file_(bytes.name()), data_(read_hdf5(bytes, dataset))
    {
        const auto format = data_.attributes.texts.find("format");
        if (format == data_.attributes.texts.end() || format->second != layout)
            throw error(fmt::format("dataset {} without the attribute format = {}", dataset,
                                    qcd::quoted(layout)));
    }

    const Hdf5Dataset& data() const { return data_; }

    Error error(const std::string& problem) const { return Error("{}: HDF5: {}", file_, problem); }

    /// The lattice of a shape that has `before` indices before t, and these after x.
    Extents lattice(std::size_t before, const std::vector<std::uint64_t>& after) const
    {
        const auto& shape = data_.shape;
        const bool fits = shape.size() == before + 4 + after.size() &&
                          std::equal(after.begin(), after.end(), shape.begin() + long(before) + 4);
        if (!fits)
            throw error(fmt::format("a dataset of shape [{}], expected [{}t, z, y, x, {}]",
                                    fmt::join(shape, ", "), before == 0 ? "" : "number, ",
                                    fmt::join(after, ", ")));
        Extents out;
        for (std::size_t mu = 0; mu < 4; ++mu) // what is no extent becomes one that is too large
            out[mu] = int(std::min<std::uint64_t>(shape[before + 3 - mu], max_extent + 2));
        require_lattice(out, file_);
        return out;
    }

    /// None, or as many as there must be.
    const std::vector<std::uint64_t>* numbers(const std::string& name, std::size_t count) const
    {
        const auto found = data_.attributes.numbers.find(name);
        if (found == data_.attributes.numbers.end()) return nullptr;
        if (found->second.size() != count)
            throw error(fmt::format("attribute {} of {} numbers, expected {}", name,
                                    found->second.size(), count));
        return &found->second;
    }

    std::optional<ScidacChecksum> checksum(std::size_t i, std::size_t count) const
    {
        const auto* sums = numbers("checksum", 2 * count);
        if (!sums) return {};
        return ScidacChecksum{std::uint32_t((*sums)[2 * i]), std::uint32_t((*sums)[2 * i + 1])};
    }

private:
    std::string file_;
    Hdf5Dataset data_;
};

std::vector<std::uint64_t> shape_of(const Extents& lattice, const std::vector<std::uint64_t>& site)
{
    std::vector<std::uint64_t> shape(lattice.rbegin(), lattice.rend());
    shape.insert(shape.end(), site.begin(), site.end());
    return shape;
}

} // namespace

bool is_hdf5(const FileBytes& bytes)
{
    using namespace std::string_view_literals;
    return bytes.text(0, 8) == "\x89HDF\r\n\x1a\n"sv;
}

GaugeFileHeader read_hdf5_gauge_header(const FileBytes& bytes)
{
    const Fields fields(bytes, hdf5_gauge, gauge_layout);
    const Hdf5Dataset& data = fields.data();
    GaugeFileHeader out;
    out.lattice = fields.lattice(0, {4, 3, 3});
    out.links = {.bits = data.bits, .big_endian = data.big_endian, .rows = 3};
    out.data_offset = data.offset;
    out.scidac = fields.checksum(0, 1);
    out.format_name = fmt::format("HDF5, {} bits{}", data.bits, out.scidac ? "" : ", no checksum");
    return out;
}

SpinorFileHeader read_hdf5_spinors(const FileBytes& bytes)
{
    const Fields fields(bytes, hdf5_spinors, spinors_layout);
    const Hdf5Dataset& data = fields.data();
    SpinorFileHeader out;
    out.lattice = fields.lattice(1, {4, 3});
    out.bits = data.bits;
    out.big_endian = data.big_endian;
    const std::size_t count = data.shape[0];
    if (count > most_spinors_of_file) throw fields.error(fmt::format("{} spinors", count));
    const auto* propagator = fields.numbers("propagator", 1);
    out.propagator = propagator && propagator->front() != 0;
    if (out.propagator && count != 12)
        throw fields.error(fmt::format("a propagator of {} spinors, not 12", count));
    if (const auto basis = data.attributes.texts.find("spin_basis");
        basis != data.attributes.texts.end()) {
        out.basis = spin_basis_of(basis->second);
        if (!out.basis)
            throw fields.error(
                fmt::format("spin_basis {} is not known", qcd::quoted(basis->second)));
    }
    if (const auto phases = data.attributes.texts.find("boundary_phases");
        phases != data.attributes.texts.end()) {
        out.phases = said_phases_of(phases->second);
        if (!out.phases)
            throw fields.error(
                fmt::format("boundary_phases {} is not known", qcd::quoted(phases->second)));
    }
    if (const auto info = data.attributes.texts.find("info"); info != data.attributes.texts.end())
        out.info = info->second;
    const auto* digests = fields.numbers("digest", count);
    const std::uint64_t spinor_bytes = std::uint64_t(volume(out.lattice)) * 24 * data.bits / 8;
    for (std::size_t i = 0; i < count; ++i)
        out.records.push_back({.offset = data.offset + i * spinor_bytes,
                               .checksum = fields.checksum(i, count),
                               .digest = digests ? std::optional(digests->at(i)) : std::nullopt});
    out.format_name = spinor_format_name("HDF5", out);
    return out;
}

Hdf5Dataset hdf5_gauge_dataset(const Extents& lattice, int bits)
{
    return {shape_of(lattice, {4, 3, 3}),
            bits,
            false,
            0,
            {{{"format", std::string(gauge_layout)}}, {{"checksum", {0, 0}}}}};
}

Hdf5Dataset hdf5_spinors_dataset(const SpinorFileKind& kind)
{
    const std::size_t count = std::size_t(kind.spinors);
    std::vector<std::uint64_t> shape = shape_of(kind.lattice, {4, 3});
    shape.insert(shape.begin(), count);
    return {shape,
            kind.bits,
            false,
            0,
            {{{"format", std::string(spinors_layout)},
              {"spin_basis", std::string(to_string(kind.basis))},
              {"boundary_phases", to_string(kind.phases)},
              {"info", one_line(kind.info)}},
             {{"checksum", std::vector<std::uint64_t>(2 * count)},
              {"digest", std::vector<std::uint64_t>(count)},
              {"propagator", {kind.propagator ? 1U : 0U}}}}};
}

} // namespace qcd

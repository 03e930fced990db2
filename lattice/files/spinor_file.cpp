#include "lattice/files/spinor_file.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/files/endian.hpp"
#include "lattice/files/etmc_spinors.hpp"
#include "lattice/files/hdf5_fields.hpp"
#include "lattice/files/lime.hpp"
#include "lattice/files/scidac_spinors.hpp"
#include "lattice/spinor_digest.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <exception>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace qcd
{

namespace
{

constexpr std::size_t spinor_reals = 24, propagator_reals = 288;

std::size_t site_bytes(const SpinorFileHeader& h, const StoredSpinors& record)
{
    return spinor_reals * std::size_t(record.spinors) * std::size_t(h.bits) / 8;
}

/// Where a spinor is; one for each, in order.
struct SpinorPlace {
    const StoredSpinors* record;
    int index; ///< of the record's
};

std::vector<SpinorPlace> places_of(const SpinorFileHeader& h)
{
    std::vector<SpinorPlace> all;
    for (const StoredSpinors& record : h.records)
        for (int i = 0; i < record.spinors; ++i) all.push_back({&record, i});
    return all;
}

void decode_reals(const SpinorFileHeader& h, const std::byte* stored, std::span<double> out)
{
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] =
            h.bits == 32
                ? std::bit_cast<float>(load_word<std::uint32_t>(stored + 4 * i, h.big_endian))
                : std::bit_cast<double>(load_word<std::uint64_t>(stored + 8 * i, h.big_endian));
}

long site_of(const Extents& l, const Coord& x)
{
    return ((long(x[3]) * l[2] + x[2]) * l[1] + x[1]) * l[0] + x[0];
}

class FileSpinor : public SpinorSource
{
public:
    FileSpinor(std::shared_ptr<const FileBytes> bytes, const SpinorFileHeader& header,
               SpinBasis basis, BoundaryPhases phases, const std::optional<Theta>& angles,
               int number, std::string description)
        : bytes_(std::move(bytes)), header_(header), places_(places_of(header_)), basis_(basis),
          number_(number), description_(std::move(description))
    {
        if (!angles || !is_twisted(*angles)) return;
        phases_ = phases;
        if (phases == BoundaryPhases::spread) spread_.emplace(header_.lattice, *angles);
    }
    FileSpinor(const FileSpinor&) = delete; // places_ point into header_
    FileSpinor& operator=(const FileSpinor&) = delete;

    std::string description() const override
    {
        return phases_ ? fmt::format("{}, phases {}", description_, place_of(*phases_))
                       : description_;
    }
    std::optional<BoundaryPhases> phases() const override { return phases_; }

    void site(const Coord& x, double out[24]) const override
    {
        read_rotated(site_of(header_.lattice, x), out);
        if (spread_) spread_->to_boundary(x, out);
    }

    void line(const Coord& x, int sites, double* out) const override
    {
        const StoredSpinors& record = *places_[std::size_t(number_)].record;
        if (header_.propagator || header_.matrix || record.spinors > 1)
            return SpinorSource::line(x, sites, out);
        const std::size_t size = site_bytes(header_, record);
        std::vector<std::byte> stored(std::size_t(sites) * size);
        bytes_->read(record.offset + std::uint64_t(site_of(header_.lattice, x)) * size, stored);
        decode_reals(header_, stored.data(), {out, std::size_t(sites) * spinor_reals});
        for (int i = 0; i < sites; ++i, out += spinor_reals) {
            rotate(to_degrand_rossi(basis_), out);
            if (spread_) spread_->to_boundary({x[0] + i, x[1], x[2], x[3]}, out);
        }
    }

private:
    /// Reads a spinor of a site, rotated into DeGrand-Rossi.
    void read_rotated(long site, double out[24]) const
    {
        const SpinRotation& u = to_degrand_rossi(basis_);
        if (!header_.propagator) {
            read_column(site, number_, out);
            return rotate(u, out);
        }
        // The source has a spin, too: column s of S U^T.
        const int spin = number_ / 3, colour = number_ % 3;
        bool first = true;
        for (int s = 0; s < 4; ++s) {
            if (u[spin][s] == 0) continue;
            double column[spinor_reals];
            read_column(site, 3 * s + colour, column);
            for (std::size_t i = 0; i < spinor_reals; ++i) {
                const double term = u[spin][s] * column[i];
                out[i] = first ? term : out[i] + term;
            }
            first = false;
        }
        rotate(u, out);
    }

    /// Reads a spinor of a site in the basis and with the phases of the file.
    void read_column(long site, int number, double out[24]) const
    {
        if (header_.matrix) return read_matrix_column(site, number, out);
        const auto [record, index] = places_[std::size_t(number)];
        std::byte stored[spinor_reals * sizeof(double)];
        const std::size_t size = spinor_reals * std::size_t(header_.bits) / 8;
        bytes_->read(record->offset + std::uint64_t(site) * site_bytes(header_, *record) +
                         std::uint64_t(index) * size,
                     {stored, size});
        decode_reals(header_, stored, {out, spinor_reals});
    }

    void read_matrix_column(long site, int number, double out[24]) const
    {
        std::byte stored[propagator_reals * sizeof(double)];
        const StoredSpinors& record = header_.records.front();
        const std::size_t size = site_bytes(header_, record);
        bytes_->read(record.offset + std::uint64_t(site) * size, {stored, size});
        double all[propagator_reals];
        decode_reals(header_, stored, all);
        const int source_spin = number / 3, source_colour = number % 3;
        for (int spin = 0; spin < 4; ++spin)
            for (int colour = 0; colour < 3; ++colour) {
                const int from = ((spin * 4 + source_spin) * 3 + colour) * 3 + source_colour;
                std::copy_n(all + 2 * from, 2, out + 2 * (3 * spin + colour));
            }
    }

    std::shared_ptr<const FileBytes> bytes_;
    SpinorFileHeader header_;
    std::vector<SpinorPlace> places_;
    SpinBasis basis_;
    std::optional<BoundaryPhases> phases_;
    std::optional<SpreadPhases> spread_;
    int number_;
    std::string description_;
};

/// Reads a record once, and says what is wrong with what the file claims of it.
class Verification
{
public:
    Verification(const FileBytes& bytes, const SpinorFileHeader& header, SpinBasis basis)
        : bytes_(bytes), header_(header), basis_(basis), digest_(header.bits / 8)
    {
    }

    std::vector<std::string> run(const StoredSpinors& record)
    {
        const std::size_t size = site_bytes(header_, record);
        const long sites = volume(header_.lattice);
        const long at_once = std::max(1L, bytes_at_once / long(size));
        numbers_.resize(spinor_reals * std::size_t(record.spinors));
        std::vector<std::byte> raw;
        for (long done = 0; done < sites; done += at_once) {
            const long count = std::min(at_once, sites - done);
            raw.resize(count * size);
            bytes_.read(record.offset + done * size, raw);
            for (long i = 0; i < count; ++i) add_site(done + i, {&raw[i * size], size}, record);
        }
        return faults(record);
    }

private:
    static constexpr long bytes_at_once = 2 << 20;

    /// Out of the Dirac basis, and from spread phases, come other last bits than went into it; and
    /// in another basis a propagator's record is none of its spinors in DeGrand-Rossi.
    bool compares_digest(const StoredSpinors& record) const
    {
        const bool spread = header_.phases && header_.phases->where == BoundaryPhases::spread;
        return record.digest && record.spinors == 1 && !spread && basis_ != SpinBasis::dirac &&
               (basis_ == SpinBasis::degrand_rossi || !header_.propagator);
    }

    void add_site(long site, std::span<const std::byte> stored, const StoredSpinors& record)
    {
        decode_reals(header_, stored.data(), numbers_);
        if (!std::all_of(numbers_.begin(), numbers_.end(),
                         [](double x) { return std::isfinite(x); }))
            throw Error("{}: site ({}): a number is not finite", bytes_.name(),
                        fmt::join(coordinates(header_.lattice, site), ","));
        if (record.checksum) sums_ ^= ScidacChecksum::of_site(site, stored);
        if (!compares_digest(record)) return;
        rotate(to_degrand_rossi(basis_), numbers_.data());
        digest_.add_site(numbers_.data());
    }

    std::vector<std::string> faults(const StoredSpinors& record) const
    {
        std::vector<std::string> all;
        if (record.checksum && *record.checksum != sums_)
            all.push_back(fmt::format("wrong SciDAC checksum: the file says {:08x} {:08x}, the "
                                      "numbers give {:08x} {:08x}",
                                      record.checksum->suma, record.checksum->sumb, sums_.suma,
                                      sums_.sumb));
        if (compares_digest(record) && *record.digest != digest_.value())
            all.push_back(fmt::format("wrong digest: the file says {:016x}, the numbers give "
                                      "{:016x}",
                                      *record.digest, digest_.value()));
        return all;
    }

    const FileBytes& bytes_;
    const SpinorFileHeader& header_;
    SpinBasis basis_;
    std::vector<double> numbers_; ///< of a site
    ScidacChecksum sums_;
    SpinorDigest digest_;
};

SpinorFileHeader read_spinor_header(const FileBytes& bytes, const std::optional<Extents>& lattice)
{
    if (bytes.size() == 0) throw Error("{}: empty file", bytes.name());
    if (is_hdf5(bytes)) return read_hdf5_spinors(bytes);
    if (!bytes.text(0, 4).starts_with("\x45\x67\x89\xab"))
        throw Error("{}: not a file of spinors: neither LIME nor HDF5", bytes.name());
    bool scidac = false, etmc = false;
    LimeReader reader(bytes);
    while (const auto record = reader.next()) {
        scidac = scidac || record->type == "scidac-private-record-xml";
        etmc = etmc || is_etmc_format(record->type);
    }
    if (scidac) return read_scidac_spinors(bytes);
    if (etmc) return read_etmc_spinors(bytes, lattice);
    throw Error("{}: not a file of spinors: LIME with the records of neither SciDAC nor "
                "tmLQCD",
                bytes.name());
}

} // namespace

int SpinorFileHeader::spinors() const
{
    return std::accumulate(records.begin(), records.end(), 0,
                           [](int n, const StoredSpinors& s) { return n + s.spinors; });
}

std::string spinor_format_name(std::string_view format, const SpinorFileHeader& header)
{
    const auto& records = header.records;
    const std::string what = header.propagator ? "propagator"
                             : header.spinors() == 1
                                 ? "spinor"
                                 : fmt::format("spinors ({})", header.spinors());
    const bool checked = std::all_of(records.begin(), records.end(),
                                     [](const StoredSpinors& s) { return s.checksum.has_value(); });
    return fmt::format("{}, {}, {} bits{}", format, what, header.bits,
                       checked ? "" : ", no checksum");
}

SpinorFile::SpinorFile(std::unique_ptr<FileBytes> bytes, SpinorFileHeader header,
                       const SpinorReading& r)
    : bytes_(std::move(bytes)), header_(std::move(header)),
      basis_(header_.basis ? *header_.basis : r.basis.value_or(header_.usual_basis)),
      phases_(header_.phases ? header_.phases->where : r.phases.value_or(header_.usual_phases)),
      angles_(header_.phases && header_.phases->where == BoundaryPhases::spread
                  ? header_.phases->angles
                  : r.angles),
      ignores_checksum_(r.ignore_checksum)
{
    if (header_.basis && r.basis && *r.basis != basis_)
        throw Error("{}: the file says that its spin basis is {}, not {} as asked for",
                    bytes_->name(), to_string(basis_), to_string(*r.basis));
    if (header_.phases && r.phases && *r.phases != phases_)
        throw Error("{}: the file says that its boundary phases are {}, not {} as "
                    "asked for",
                    bytes_->name(), place_of(phases_), place_of(*r.phases));
}

std::string SpinorFile::description() const
{
    return fmt::format("{} ({})", bytes_->name(), header_.format_name);
}

std::vector<ScidacChecksum> SpinorFile::checksums() const
{
    std::vector<ScidacChecksum> all;
    for (const StoredSpinors& record : header_.records)
        if (record.checksum) all.push_back(*record.checksum);
    return all.size() == header_.records.size() ? all : std::vector<ScidacChecksum>{};
}

std::vector<std::string> SpinorFile::verify() const
{
    const auto& records = header_.records;
    std::vector<std::vector<std::string>> faults(records.size());
    std::vector<std::exception_ptr> failures(records.size());
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < records.size(); ++i) {
        try {
            faults[i] = Verification(*bytes_, header_, basis_).run(records[i]);
        } catch (...) {
            failures[i] = std::current_exception();
        }
    }
    std::vector<std::string> ignored;
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (failures[i]) std::rethrow_exception(failures[i]);
        for (const std::string& fault : faults[i]) {
            if (!ignores_checksum_) throw Error("{}: {}", bytes_->name(), fault);
            ignored.push_back(fmt::format("{}: ignored: {}", bytes_->name(), fault));
        }
    }
    return ignored;
}

std::unique_ptr<SpinorSource> SpinorFile::spinor(int number) const
{
    if (number < 0 || number >= spinors())
        throw Error("{}: there is no spinor {}, there are {}", bytes_->name(), number, spinors());
    const std::string which = spinors() == 1 ? "" : fmt::format(", number {}", number);
    return std::make_unique<FileSpinor>(bytes_, header_, basis_, phases_, angles_, number,
                                        description() + which);
}

SpinorFile open_spinor_file(const std::string& path, const std::optional<Extents>& lattice,
                            const SpinorReading& reading)
{
    return open_spinor_file(open_file_bytes(path), lattice, reading);
}

SpinorFile open_spinor_file(std::unique_ptr<FileBytes> bytes, const std::optional<Extents>& lattice,
                            const SpinorReading& reading)
{
    SpinorFileHeader header = read_spinor_header(*bytes, lattice);
    if (lattice && header.lattice != *lattice)
        throw Error("{}: the file's lattice is {}, not {}", bytes->name(),
                    to_string(header.lattice), to_string(*lattice));
    return SpinorFile(std::move(bytes), std::move(header), reading);
}

} // namespace qcd

#include "lattice/files/gauge_file.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/link.hpp"
#include "lattice/link_storage.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace qcd
{

namespace
{

constexpr long sites_at_once = 4096; ///< of raw bytes held in memory: at most 2.4 MB

/// Makes the links of a site special unitary, of so many directions; how far that moved an element
/// at most.
double project_site(double* site, int directions)
{
    double moved = 0;
    for (int mu = 0; mu < directions; ++mu) {
        double* const at = site + mu * links::reals_per_link;
        const links::Link stored = links::load(at);
        links::Link projected = stored;
        links::project(projected);
        links::store(projected, at);
        moved = std::max(moved, links::distance(projected, stored));
    }
    return moved;
}

/// Is the link t of a site 0?
bool ends_in_time(const double* site) { return is_zero_link(site + 3 * links::reals_per_link); }

#pragma omp declare reduction(combine:ScidacChecksum : omp_out ^= omp_in)
#pragma omp declare reduction(combine:MilcChecksum : omp_out ^= omp_in)

class GaugeFile : public GaugeSource
{
public:
    GaugeFile(std::unique_ptr<FileBytes> bytes, const GaugeFileHeader& header,
              bool ignores_checksum)
        : GaugeSource(header.lattice, fmt::format("{} ({})", bytes->name(), header.format_name)),
          bytes_(std::move(bytes)), header_(header), ignores_checksum_(ignores_checksum)
    {
        for (const std::string& note : header.notes) add_note(note);
    }

    int bits() const override { return restores() ? 64 : header_.links.bits; }
    bool third_rows_are_completed() const override { return restores() || header_.links.rows == 2; }
    std::string format() const override { return header_.format_name; }
    std::string checksum() const override;
    void finish(const GaugeObservables& measured) override;
    void check_first_rows();
    bool is_open_in_time() const override { return open_in_time_; }
    ReadSums read_sums() const override { return read_; }
    void add_read(const ReadSums& by_another) override { read_ += by_another; }

private:
    bool restores() const { return header_.links.rough; }
    /// How many directions the site of this number has links of: where time is open, the last slice
    /// has none in t.
    int directions(long site) const
    {
        return open_in_time_ && site >= volume(extents()) / extents()[3] * (extents()[3] - 1) ? 3
                                                                                              : 4;
    }
    void read(const Box& box, std::span<double> links) override;
    void read_sites(const Box& box, long first, std::span<double> links);
    void read_bytes(const Box& box, long first, std::span<std::byte> out);
    std::string site_defect(long site, const std::byte* stored, const double* links) const;
    std::string checksum_fault() const;
    void compare_averages(const GaugeObservables& measured);
    bool agree(const ClaimedAverage& claim, double measured) const;
    bool is_known_mistake(const ClaimedAverage& plaquette, const GaugeObservables&) const;

    std::unique_ptr<FileBytes> bytes_;
    GaugeFileHeader header_;
    bool ignores_checksum_;
    std::vector<std::byte> raw_;
    std::vector<Box> boxes_; ///< that were read
    ReadSums read_;          ///< of them
    bool open_in_time_ = false;
};

void GaugeFile::read(const Box& box, std::span<double> links)
{
    for (const Box& before : boxes_)
        if (overlap(before, box))
            throw Error("{}: sites of a box {} were read before", bytes_->name(), to_string(box));
    const long sites = volume(box);
    for (long done = 0; done < sites; done += sites_at_once) {
        const long count = std::min(sites_at_once, sites - done);
        read_sites(box, done,
                   links.subspan(done * links::reals_per_site, count * links::reals_per_site));
    }
    boxes_.push_back(box);
    read_.sites += sites;
}

/// Damage of the whole file, such as a wrong byte order or a transfer that did not begin, shows
/// before anyone allocates fields; so does an end of time.
void GaugeFile::check_first_rows()
{
    Box row{{}, {extents()[0], 1, 1, 1}};
    std::vector<double> links(volume(row) * links::reals_per_site);
    read_sites(row, 0, links);
    row.lower[3] = extents()[3] - 1;
    raw_.resize(std::size_t(extents()[0]) * header_.links.site_bytes());
    read_bytes(row, 0, raw_);
    decode_site(header_.links, raw_.data(), links.data());
    // Not where all is 0, as in a file that was not written to its end.
    open_in_time_ =
        ends_in_time(links.data()) && link_defect(header_.links, links.data(), 3).empty();
    if (open_in_time_)
        add_note(fmt::format("{}: open boundary conditions, or the Schroedinger functional: the "
                             "links t of the last time slice are 0; plaquettes through them count "
                             "as 0",
                             bytes_->name()));
    read_.words = 0;
    read_.scidac = {};
    read_.milc = {};
}

/// Reads as many sites of the box as `out` has room for, from `first` on.
void GaugeFile::read_bytes(const Box& box, long first, std::span<std::byte> out)
{
    if (header_.sites) return header_.sites->read(*bytes_, box, first, out);
    const long stride = header_.links.site_bytes(), run = run_length(extents(), box);
    while (!out.empty()) {
        const long count = std::min<long>(run - first % run, out.size() / stride);
        bytes_->read(header_.data_offset + site_number(extents(), box, first) * stride,
                     out.first(count * stride));
        out = out.subspan(count * stride);
        first += count;
    }
}

/// Sites of the box from `first` on.
void GaugeFile::read_sites(const Box& box, long first, std::span<double> links)
{
    const LinkFormat& format = header_.links;
    const long count = links.size() / links::reals_per_site, stride = format.site_bytes();
    raw_.resize(count * stride);
    read_bytes(box, first, raw_);

    std::uint32_t word_sum = 0;
    ScidacChecksum scidac;
    MilcChecksum milc;
    long bad = count;
    double moved = 0;
#pragma omp parallel for schedule(static) reduction(+ : word_sum)                                  \
    reduction(combine : scidac, milc) reduction(min : bad) reduction(max : moved) if (count > 200)
    for (long i = 0; i < count; ++i) {
        const std::span<const std::byte> site(&raw_[i * stride], stride);
        if (header_.word_sum) word_sum += qcd::word_sum(site, format.big_endian);
        const long number = site_number(extents(), box, first + i);
        if (header_.scidac) scidac ^= ScidacChecksum::of_site(number, site);
        if (header_.milc) milc ^= MilcChecksum::of_site(number, site, format.big_endian);
        double* out = &links[i * links::reals_per_site];
        decode_site(format, site.data(), out);
        const int mus = directions(number);
        if (!link_defect(format, out, mus).empty() || (mus == 3 && !ends_in_time(out)))
            bad = std::min(bad, i);
        else if (restores())
            moved = std::max(moved, project_site(out, mus));
    }
    if (bad < count)
        throw Error(site_defect(site_number(extents(), box, first + bad), &raw_[bad * stride],
                                &links[bad * links::reals_per_site]));
    read_ += {.words = word_sum, .scidac = scidac, .milc = milc, .moved = moved};
}

std::string GaugeFile::site_defect(long site, const std::byte* stored, const double* links) const
{
    LinkFormat other = header_.links;
    other.big_endian = !other.big_endian;
    const auto order = [](const LinkFormat& f) { return f.big_endian ? "big" : "little"; };
    const std::string defect =
        holds_links(other, stored)
            ? fmt::format("the links are in SU(3) only when read as {}-endian, the format says {}",
                          order(other), order(header_.links))
        : directions(site) == 3 && !ends_in_time(links)
            ? "link t is not 0, as another one of the last time slice is"
            : link_defect(header_.links, links, directions(site));
    return fmt::format("{}: site ({}): {}", bytes_->name(),
                       fmt::join(coordinates(extents(), site), ","), defect);
}

bool GaugeFile::agree(const ClaimedAverage& claim, double measured) const
{
    // Four links of nine elements in a trace of three, a third of it counted.
    const double from_projection = 12 * read_.moved;
    const double rounding = claim.value == 0 ? 0 : claim.last_digit; // a bare 0 holds a place
    const double allowed = rounding + header_.links.average_tolerance() + from_projection;
    return claim.value && std::abs(measured - *claim.value) <= allowed;
}

/// No number, 0 in place of one, or what other conventions and mistakes of writers make of the
/// plaquette: the two averages exchanged, not divided by 3, or 1 minus it.
bool GaugeFile::is_known_mistake(const ClaimedAverage& plaquette, const GaugeObservables& m) const
{
    return !plaquette.value || *plaquette.value == 0 || agree(plaquette, m.link_trace) ||
           agree(plaquette, 3 * m.plaquette_total) || agree(plaquette, 1 - m.plaquette_total);
}

/// The checksum, if there is one, does not see the order of the words, and was found right. With
/// another plaquette the links may lie in another order; the link trace adds nothing.
void GaugeFile::compare_averages(const GaugeObservables& measured)
{
    if (!header_.plaquette) return;
    if (!header_.link_trace && !agree(*header_.plaquette, measured.plaquette_total))
        throw Error("{}: wrong plaquette: the header says {}, the links give {:.12f}",
                    bytes_->name(), header_.plaquette->text, measured.plaquette_total);
    if (!header_.link_trace) return;
    const ClaimedAverage &plaquette = *header_.plaquette, &trace = *header_.link_trace;
    std::string note;
    const auto compare = [&](const char* key, const ClaimedAverage& claim, double value) {
        if (agree(claim, value)) return;
        note +=
            fmt::format("{}{} {}, the links give {:.12f}", note.empty() ? "" : "; ", key,
                        claim.text.empty() ? "is missing" : "is " + qcd::quoted(claim.text), value);
    };
    compare("PLAQUETTE", plaquette, measured.plaquette_total);
    if (!note.empty() && !is_known_mistake(plaquette, measured))
        throw Error("{}: wrong plaquette: {}", bytes_->name(), note);
    compare("LINK_TRACE", trace, measured.link_trace);
    if (!note.empty())
        add_note(fmt::format("{}: the checksum is right, but {}", bytes_->name(), note));
}

void GaugeFile::finish(const GaugeObservables& measured)
{
    if (restores())
        add_note(fmt::format("{}: links reunitarized, which moved elements by {:.1e} at most",
                             bytes_->name(), read_.moved));
    if (read_.sites != volume(extents())) return;
    const std::string fault = checksum_fault();
    if (!fault.empty() && !ignores_checksum_) throw Error("{}: wrong {}", bytes_->name(), fault);
    if (!fault.empty()) add_note(fmt::format("{}: ignored: wrong {}", bytes_->name(), fault));
    // The averages of other programs leave out, or weigh, what goes through the end of time.
    if (!open_in_time_) compare_averages(measured);
}

/// "": it is right, or there is none.
std::string GaugeFile::checksum_fault() const
{
    if (header_.word_sum && *header_.word_sum != read_.words)
        return fmt::format("checksum: the header says {:08x}, the links give {:08x}",
                           *header_.word_sum, read_.words);
    if (header_.scidac && *header_.scidac != read_.scidac)
        return fmt::format("SciDAC checksum: the file says {:08x} {:08x}, the links give {:08x} "
                           "{:08x}",
                           header_.scidac->suma, header_.scidac->sumb, read_.scidac.suma,
                           read_.scidac.sumb);
    if (header_.milc && *header_.milc != read_.milc)
        return fmt::format("MILC checksum: the header says {:08x} {:08x}, the links give {:08x} "
                           "{:08x}",
                           header_.milc->sum29, header_.milc->sum31, read_.milc.sum29,
                           read_.milc.sum31);
    return {};
}

std::string GaugeFile::checksum() const
{
    if (header_.word_sum) return fmt::format("{:08x}", *header_.word_sum);
    if (header_.scidac)
        return fmt::format("{:08x} {:08x}", header_.scidac->suma, header_.scidac->sumb);
    if (header_.milc) return fmt::format("{:08x} {:08x}", header_.milc->sum29, header_.milc->sum31);
    return {};
}

} // namespace

std::uint64_t data_bytes(const Extents& lattice, const LinkFormat& links)
{
    return std::uint64_t(volume(lattice)) * links.site_bytes();
}

void require_data_to_the_end(const FileBytes& bytes, const GaugeFileHeader& header)
{
    const std::uint64_t expected = data_bytes(header.lattice, header.links);
    const std::uint64_t actual = bytes.size() - header.data_offset;
    if (actual != expected)
        throw Error("{}: {}: {} bytes of links after the header, a {} lattice of this "
                    "format has {}",
                    bytes.name(), actual < expected ? "truncated" : "trailing bytes", actual,
                    to_string(header.lattice), expected);
}

std::unique_ptr<GaugeSource> open_gauge_file(const std::string& path,
                                             const std::optional<Extents>& expected,
                                             const GaugeReading& reading)
{
    return open_gauge_file(open_file_bytes(path), expected, reading);
}

std::unique_ptr<GaugeSource> open_gauge_file(std::unique_ptr<FileBytes> bytes,
                                             const std::optional<Extents>& expected,
                                             const GaugeReading& reading)
{
    GaugeFileHeader header = read_gauge_header(*bytes, expected, reading.number);
    if (expected && *expected != header.lattice)
        throw Error("{}: the file's lattice is {}, not {} as asked for", bytes->name(),
                    to_string(header.lattice), to_string(*expected));
    if (reading.reunitarize) {
        header.links.rough = true;
        header.format_name += ", reunitarized";
    }
    auto file = std::make_unique<GaugeFile>(std::move(bytes), header, reading.ignore_checksum);
    file->check_first_rows();
    return file;
}

} // namespace qcd

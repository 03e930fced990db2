#include "drivers/ensemble/ensemble_state.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/files/running_xxh64.hpp"
#include "runtime/ranks.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <span>

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;

// The file: this line, a line of JSON, the links as GaugeSource::read_slice has them, slice after
// slice, as doubles of this machine (x86-64), and xxh64 of all that, 8 bytes.
constexpr std::string_view first_line = "qcd_starpu ensemble 1\n";
constexpr std::uint64_t bytes_of_site = 4 * links::reals_per_link * sizeof(double);

Json to_json(const EnsembleState& s)
{
    Json rows = Json::array();
    for (const EnsembleRow& r : s.rows)
        rows.push_back({r.sweep, r.plaquette, r.spatial, r.temporal, r.polyakov.re, r.polyakov.im});
    return {{"lattice", s.lattice},
            {"start", s.start},
            {"beta", s.rule.beta},
            {"overrelaxations", s.rule.overrelaxations},
            {"reunitarize", s.rule.reunitarize},
            {"seed", s.rule.seed},
            {"sweeps", s.sweeps},
            {"drawn", s.counts.drawn},
            {"trials", s.counts.trials},
            {"exhausted", s.counts.exhausted},
            {"rows", rows}};
}

EnsembleState state_of(const Json& j)
{
    EnsembleState s;
    s.lattice = j.at("lattice").get<Extents>();
    s.start = j.at("start");
    s.rule = {.beta = j.at("beta"),
              .overrelaxations = j.at("overrelaxations"),
              .reunitarize = j.at("reunitarize"),
              .seed = j.at("seed")};
    s.sweeps = j.at("sweeps");
    s.counts.drawn = j.at("drawn").get<std::uint64_t>();
    s.counts.trials = j.at("trials").get<std::uint64_t>();
    s.counts.exhausted = j.at("exhausted").get<std::uint64_t>();
    for (const Json& r : j.at("rows"))
        s.rows.push_back({.sweep = r.at(0),
                          .plaquette = r.at(1),
                          .spatial = r.at(2),
                          .temporal = r.at(3),
                          .polyakov = {r.at(4), r.at(5)}});
    require_lattice(s.lattice, "lattice");
    return s;
}

/// The links of such a file, read slice by slice.
class SavedLinks : public GaugeSource
{
public:
    /// first: of the links' bytes.
    SavedLinks(std::unique_ptr<FileBytes> file, const EnsembleState& state, std::uint64_t first,
               std::uint64_t sum)
        : GaugeSource(state.lattice, file->name()), file_(std::move(file)), first_(first),
          format_(fmt::format("checkpoint of generate, {} at beta {}",
                              counted(state.sweeps, "sweep"), state.rule.beta)),
          checksum_(fmt::format("{:016x}", sum))
    {
    }
    std::string format() const override { return format_; }
    std::string checksum() const override { return checksum_; }

private:
    void read(const Box& box, std::span<double> links) override
    {
        file_->read(first_ + std::uint64_t(slice_of(box)) * links.size_bytes(),
                    std::as_writable_bytes(links));
    }
    std::unique_ptr<FileBytes> file_;
    std::uint64_t first_;
    std::string format_, checksum_;
};

/// Up to the end of the line; all there is where the line does not end.
std::string line_at(const FileBytes& file, std::uint64_t offset)
{
    constexpr std::uint64_t piece = 65536;
    std::string line;
    do line += file.text(offset + line.size(), piece);
    while (line.find('\n') == line.npos && offset + line.size() < file.size());
    return line.substr(0, line.find('\n'));
}

} // namespace

bool EnsembleState::operator==(const EnsembleState& o) const
{
    return lattice == o.lattice && start == o.start && rule == o.rule && sweeps == o.sweeps &&
           rows == o.rows && counts.drawn == o.counts.drawn && counts.trials == o.counts.trials &&
           counts.exhausted == o.counts.exhausted;
}

void write_ensemble(const std::string& path, const EnsembleState& state, const LinkField& field)
{
    std::optional<AtomicFile> file; // of the first rank
    RunningXxh64 sum;
    const auto append = [&](std::span<const std::byte> bytes) {
        sum.add(bytes);
        file->append(bytes);
    };
    if (field.graph().ranks().speaks()) {
        file.emplace(path);
        const std::string head = std::string(first_line) + to_json(state).dump() + "\n";
        append(std::as_bytes(std::span(head)));
    }
    field.visit_slices([&](int, std::span<const double> links) { append(std::as_bytes(links)); });
    if (!file) return;
    const std::uint64_t value = sum.value();
    file->append(std::as_bytes(std::span(&value, 1)));
    file->commit();
}

bool is_ensemble(const FileBytes& bytes) { return bytes.text(0, first_line.size()) == first_line; }

SavedEnsemble read_ensemble(std::unique_ptr<FileBytes> file,
                            const std::function<void()>& before_slice)
{
    if (!is_ensemble(*file))
        throw Error("{}: is no file of --checkpoint of `qcd_starpu generate`",
                    qcd::quoted(file->name()));
    const Error damaged("{}: is damaged or not complete", qcd::quoted(file->name()));
    const std::string json = line_at(*file, first_line.size());
    SavedEnsemble saved;
    try {
        saved.state = state_of(Json::parse(json));
    } catch (const std::exception&) {
        throw damaged;
    }
    // The sum of all that stands before it, a slice of links at a time.
    const Extents& lattice = saved.state.lattice;
    const std::uint64_t first = first_line.size() + json.size() + 1,
                        end = first + std::uint64_t(volume(lattice)) * bytes_of_site;
    std::uint64_t value = 0;
    if (file->size() != end + sizeof value) throw damaged;
    RunningXxh64 sum;
    std::vector<std::byte> bytes(first);
    for (std::uint64_t at = 0; at < end; at += bytes.size()) {
        if (at > 0) before_slice();
        bytes.resize(at == 0 ? first : (end - first) / std::uint64_t(lattice[3]));
        file->read(at, bytes);
        sum.add(bytes);
    }
    file->read(end, std::as_writable_bytes(std::span(&value, 1)));
    if (sum.value() != value) throw damaged;
    saved.links = std::make_unique<SavedLinks>(std::move(file), saved.state, first, value);
    return saved;
}

} // namespace qcd

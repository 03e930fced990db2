#include "drivers/ensemble/ensemble_state.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/files/running_xxh64.hpp"
#include "runtime/ranks.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstring>
#include <fstream>
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
    SavedLinks(const Extents& lattice, const std::string& path, std::size_t first)
        : GaugeSource(lattice, path), file_(path, std::ios::binary), first_(first)
    {
    }

private:
    void read(const Box& box, std::span<double> links) override
    {
        const std::size_t bytes = slice_reals() * sizeof(double);
        file_.seekg(std::streamoff(first_ + std::size_t(slice_of(box)) * bytes));
        file_.read(reinterpret_cast<char*>(links.data()), std::streamsize(bytes));
        if (!file_) throw Error(fmt::format("{}: cannot be read", qcd::quoted(description())));
    }
    std::ifstream file_;
    std::size_t first_;
};

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

SavedEnsemble read_ensemble(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::string first(first_line.size(), ' '), json;
    file.read(first.data(), std::streamsize(first.size()));
    if (!file.good() && !file.eof())
        throw Error(fmt::format("{}: cannot be read", qcd::quoted(path)));
    if (first != first_line)
        throw Error(fmt::format("{}: is no file of --checkpoint of `qcd_starpu generate`",
                                qcd::quoted(path)));
    const Error damaged(fmt::format("{}: is damaged or not complete", qcd::quoted(path)));
    if (!std::getline(file, json)) throw damaged;
    SavedEnsemble saved;
    try {
        saved.state = state_of(Json::parse(json));
    } catch (const std::exception&) {
        throw damaged;
    }
    // The sum of all that stands before it, a slice of links at a time.
    RunningXxh64 sum;
    sum.add(std::as_bytes(std::span(first)));
    json += '\n';
    sum.add(std::as_bytes(std::span(json)));
    saved.links =
        std::make_unique<SavedLinks>(saved.state.lattice, path, first.size() + json.size());
    std::vector<double> slice(saved.links->slice_reals());
    for (int t = 0; t < saved.state.lattice[3]; ++t) {
        const std::span bytes = std::as_writable_bytes(std::span(slice));
        if (!file.read(reinterpret_cast<char*>(bytes.data()), std::streamsize(bytes.size())))
            throw damaged;
        sum.add(bytes);
    }
    std::uint64_t value = 0;
    file.read(reinterpret_cast<char*>(&value), sizeof value);
    if (!file || sum.value() != value || file.peek() != EOF) throw damaged;
    return saved;
}

} // namespace qcd

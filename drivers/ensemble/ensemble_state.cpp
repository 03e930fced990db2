#include "drivers/ensemble/ensemble_state.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/files/running_xxh64.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstring>
#include <fstream>
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

class SavedLinks : public GaugeSource
{
public:
    SavedLinks(const Extents& lattice, std::string path, std::vector<double> links)
        : GaugeSource(lattice, std::move(path)), links_(std::move(links))
    {
    }

private:
    void read(const Box& box, std::span<double> links) override
    {
        const std::size_t from = std::size_t(slice_of(box)) * slice_reals();
        std::memcpy(links.data(), links_.data() + from, slice_reals() * sizeof(double));
    }
    std::vector<double> links_;
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
    AtomicFile file(path);
    RunningXxh64 sum;
    const auto append = [&](std::span<const std::byte> bytes) {
        sum.add(bytes);
        file.append(bytes);
    };
    const std::string head = std::string(first_line) + to_json(state).dump() + "\n";
    append(std::as_bytes(std::span(head)));
    field.visit_slices([&](int, std::span<const double> links) { append(std::as_bytes(links)); });
    const std::uint64_t value = sum.value();
    file.append(std::as_bytes(std::span(&value, 1)));
    file.commit();
}

SavedEnsemble read_ensemble(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (!file) throw Error(fmt::format("{}: cannot be read", qcd::quoted(path)));
    if (!bytes.starts_with(first_line))
        throw Error(fmt::format("{}: is no file of --checkpoint of `qcd_starpu generate`",
                                qcd::quoted(path)));
    const Error damaged(fmt::format("{}: is damaged or not complete", qcd::quoted(path)));
    std::uint64_t value = 0;
    if (bytes.size() < first_line.size() + sizeof value) throw damaged;
    const std::size_t summed = bytes.size() - sizeof value;
    std::memcpy(&value, bytes.data() + summed, sizeof value);
    RunningXxh64 sum;
    sum.add(std::as_bytes(std::span(bytes.data(), summed)));
    const std::size_t line = bytes.find('\n', first_line.size());
    if (sum.value() != value || line == bytes.npos) throw damaged;
    SavedEnsemble saved;
    try {
        saved.state =
            state_of(Json::parse(bytes.substr(first_line.size(), line - first_line.size())));
    } catch (const std::exception&) {
        throw damaged;
    }
    const std::size_t reals = std::size_t(volume(saved.state.lattice)) * links::reals_per_site;
    if (summed - (line + 1) != reals * sizeof(double)) throw damaged;
    std::vector<double> all(reals);
    std::memcpy(all.data(), bytes.data() + line + 1, reals * sizeof(double));
    saved.links = std::make_unique<SavedLinks>(saved.state.lattice, path, std::move(all));
    return saved;
}

} // namespace qcd

#include "drivers/files/checkpoint_report.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "drivers/files/file_report.hpp"
#include "program/lines.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace qcd
{

namespace
{

std::string digest_text(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

std::string sources_text(const CheckpointProblem& p)
{
    return fmt::format("{:016x}", fmt::join(p.source_digests, ","));
}

/// Sets a key of j to what is found in the value; null where there is none.
template <class T>
auto setter(nlohmann::ordered_json& j, const std::optional<T>& value)
{
    return [&j, &value](const char* key, const auto& in) {
        j[key] = value ? nlohmann::ordered_json(in(*value)) : nlohmann::ordered_json();
    };
}

std::string method_text(const CheckpointHeader& h)
{
    int before = 0;
    for (const CheckpointHeader::Side& s : h.sides)
        before = std::max(before, s.before ? s.before->iterations() : 0);
    return h.sides.front().before
               ? fmt::format("cg, after {} iterations of {}", before, h.problem.solver)
               : h.method;
}

} // namespace

CheckpointFileReport check_checkpoint(std::unique_ptr<FileBytes> bytes,
                                      const std::function<void()>& before_vector)
{
    CheckpointFileReport report;
    report.file = bytes->name();
    report.error = error_of_reading([&] {
        const CheckpointFile file(std::move(bytes));
        report.bytes = file.size();
        report.header = file.header();
        for (std::size_t rhs = 0; rhs < file.header().sides.size(); ++rhs)
            for (std::size_t i = 0; i < file.header().vectors.size(); ++i) {
                before_vector();
                file.read_vector(i, rhs);
            }
    });
    return report;
}

std::string progress_of(const CheckpointHeader& h)
{
    return fmt::format("{}, iteration {}, |r|/|b| {:.1e}", method_text(h), h.iterations(),
                       h.residual());
}

void print_text(std::ostream& out, const CheckpointFileReport& r)
{
    const CheckpointHeader& h = r.header.value();
    const CheckpointProblem& p = h.problem;
    out << one_line(r.file) << '\n';
    Lines lines(out);
    lines.add("format", "checkpoint of a solve, {} MB, by {}", figure(double(r.bytes) / 1e6),
              h.program);
    lines.add("lattice", "{}, {} in t{}", to_string(p.lattice),
              p.antiperiodic ? "antiperiodic" : "periodic",
              is_twisted(p.theta) ? fmt::format(", theta {} pi", fmt::join(p.theta, ",")) : "");
    lines.add("quark", "kappa {:.10g}{}{}", p.kappa,
              p.mubar == 0 ? "" : fmt::format(", mubar {:.10g}", p.mubar),
              p.csw == 0 ? "" : fmt::format(", csw {:.10g}", p.csw));
    lines.add("links", "{} reals each, digest {}", p.links, digest_text(p.links_digest));
    lines.add("source", "digest {}", sources_text(p));
    lines.add("method", "{}{}, {} bits", method_text(h),
              p.even_odd ? ", even-odd preconditioned" : "", p.bits);
    lines.add("iterations", "{}; |r|/|b| {:.2e}, {}", h.iterations(), h.residual(),
              p.tolerance > 0 ? fmt::format("requested {:g}", p.tolerance)
                              : std::string("none requested"));
    lines.add("checksums", "right, of {} vectors{}: {}", h.vectors.size() * h.sides.size(),
              h.sides.size() == 1 ? "" : fmt::format(" of {} right-hand sides", h.sides.size()),
              one_line(fmt::format("{}", fmt::join(h.vectors, ", "))));
}

nlohmann::ordered_json to_json(const CheckpointFileReport& r)
{
    using Json = nlohmann::ordered_json;
    Json j{{"kind", "checkpoint"},
           {"file", r.file},
           {"good", r.good()},
           {"error", r.good() ? Json() : Json(r.error)},
           {"bytes", r.bytes > 0 ? Json(r.bytes) : Json()}};
    const auto set = setter(j, r.header);
    using Header = CheckpointHeader;
    set("program", [](const Header& h) { return h.program; });
    set("lattice", [](const Header& h) { return h.problem.lattice; });
    set("boundary",
        [](const Header& h) { return h.problem.antiperiodic ? "antiperiodic" : "periodic"; });
    set("theta", [](const Header& h) { return h.problem.theta; });
    set("kappa", [](const Header& h) { return h.problem.kappa; });
    set("mubar", [](const Header& h) { return h.problem.mubar; });
    set("csw", [](const Header& h) { return h.problem.csw; });
    set("solver", [](const Header& h) { return h.problem.solver; });
    set("even_odd", [](const Header& h) { return h.problem.even_odd; });
    set("bits", [](const Header& h) { return h.problem.bits; });
    set("links", [](const Header& h) { return h.problem.links; });
    set("tolerance", [](const Header& h) { return h.problem.tolerance; });
    set("links_digest", [](const Header& h) { return digest_text(h.problem.links_digest); });
    set("source_digest", [](const Header& h) { return sources_text(h.problem); });
    set("method", [](const Header& h) { return h.method; });
    set("iteration", [](const Header& h) { return h.iterations(); });
    set("residual", [](const Header& h) { return h.residual(); });
    return j;
}

EnsembleFileReport check_ensemble(std::unique_ptr<FileBytes> bytes,
                                  const std::function<void()>& before_slice)
{
    EnsembleFileReport report;
    report.file = bytes->name();
    report.format = "checkpoint of generate";
    report.error = error_of_reading([&] {
        const SavedEnsemble saved = read_ensemble(std::move(bytes), before_slice);
        report.state = saved.state;
        check_links(*saved.links, before_slice, report);
    });
    return report;
}

void print_text(std::ostream& out, const EnsembleFileReport& r)
{
    const EnsembleState& s = r.state.value();
    print_text(out, static_cast<const GaugeFileReport&>(r));
    Lines lines(out);
    lines.add("ensemble", "start {}, seed {}; {}", one_line(s.start), s.rule.seed,
              counted(long(s.rows.size()), "measurement"));
    lines.add("sweep", "heat bath, {} of overrelaxation; reunitarized after every {}",
              s.rule.overrelaxations, s.rule.reunitarize);
}

nlohmann::ordered_json to_json(const EnsembleFileReport& r)
{
    nlohmann::ordered_json j = to_json(static_cast<const GaugeFileReport&>(r));
    j["kind"] = "ensemble";
    const auto set = setter(j, r.state);
    using State = EnsembleState;
    set("beta", [](const State& s) { return s.rule.beta; });
    set("start", [](const State& s) { return s.start; });
    set("seed", [](const State& s) { return s.rule.seed; });
    set("overrelaxations", [](const State& s) { return s.rule.overrelaxations; });
    set("reunitarize", [](const State& s) { return s.rule.reunitarize; });
    set("sweeps", [](const State& s) { return s.sweeps; });
    set("measurements", [](const State& s) { return s.rows.size(); });
    return j;
}

} // namespace qcd

#include "drivers/checkpoint/state_file.hpp"

#include "base/error.hpp"
#include "lattice/spinor_digest.hpp"
#include "program/version.hpp"
#include "runtime/ranks.hpp"
#include "tasks/lattice_graph.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace qcd
{

namespace
{

constexpr int reals_of_site = 24;

/// A time slice at a time is computed by all threads.
std::uint64_t digest_of(const SpinorSource& source, const Extents& l, Precision precision)
{
    SpinorDigest digest(int(real_bytes(precision)));
    const long sites = volume(l) / l[3];
    std::vector<double> slice(std::size_t(sites) * reals_of_site);
    for (int t = 0; t < l[3]; ++t) {
#pragma omp parallel for schedule(static)
        for (long s = 0; s < sites; ++s)
            source.site({int(s % l[0]), int(s / l[0] % l[1]), int(s / l[0] / l[1]), t},
                        &slice[s * reals_of_site]);
        for (long s = 0; s < sites; ++s) digest.add_site(&slice[s * reals_of_site]);
    }
    return digest.value();
}

CheckpointHeader::Done done_of(const SolveReport& r)
{
    return {r.operator_applications, r.history};
}

SolveReport report_of(const CheckpointHeader::Done& done)
{
    SolveReport r;
    r.iterations = done.iterations();
    r.operator_applications = done.applications;
    if (!done.residuals.empty()) r.residual = done.residuals.back();
    r.history = done.residuals;
    return r;
}

Method method_of(const std::string& name)
{
    for (const Method m : {Method::cr, Method::cg})
        if (to_string(m) == name) return m;
    return Method::bicgstab;
}

} // namespace

CheckpointProblem checkpoint_problem(const RunSpec& s, const Extents& lattice,
                                     std::span<const std::unique_ptr<SpinorSource>> sources)
{
    const MethodSpec& m = s.method;
    std::vector<std::uint64_t> digests;
    for (const auto& source : sources)
        digests.push_back(digest_of(*source, lattice, m.precision()));
    return {.lattice = lattice,
            .antiperiodic = s.problem.antiperiodic(),
            .theta = s.problem.theta(),
            .kappa = kappa_of(s.problem),
            .mubar = s.problem.mubar(),
            .csw = s.problem.csw(),
            .solver = std::string(to_string(m.solver().value())),
            .even_odd = m.even_odd().value(),
            .bits = m.precision() == Precision::f64 ? 64 : 32,
            .links = reals(m.links().value()),
            .tolerance = m.iterations() ? 0 : m.tolerance().value(),
            .links_digest = 0,
            .source_digests = digests};
}

namespace
{

CheckpointHeader header_of(const CheckpointProblem& problem, const std::vector<State>& states)
{
    CheckpointHeader h{.problem = problem,
                       .program = version_line(),
                       .method = std::string(to_string(states.front().method)),
                       .sides = {},
                       .vectors = {}};
    for (const State& s : states) {
        h.sides.push_back({.scalars = s.scalars,
                           .done = done_of(s.report),
                           .applications_at_start = s.applications_at_start});
        if (s.before) h.sides.back().before = done_of(*s.before);
    }
    for (const auto& [name, copy] : states.front().vectors) h.vectors.push_back(name);
    return h;
}

/// The vectors of all right-hand sides, in the order of the file.
std::vector<const SpinorCopy*> vectors_of(const std::vector<State>& states)
{
    std::vector<const SpinorCopy*> all;
    for (const State& s : states)
        for (const auto& [name, copy] : s.vectors) all.push_back(&copy);
    return all;
}

} // namespace

std::uint64_t write_states(const std::string& path, const CheckpointProblem& problem,
                           const std::vector<State>& states)
{
    std::vector<std::span<const std::byte>> vectors;
    for (const SpinorCopy* copy : vectors_of(states))
        vectors.push_back(std::as_bytes(std::span(copy->reals)));
    return write_checkpoint(path, header_of(problem, states), vectors);
}

/// The first rank says before each vector whether it wants it.
std::uint64_t write_states(const std::string& path, const CheckpointProblem& problem,
                           const std::vector<State>& states, const LatticeGraph& graph)
{
    Ranks& ranks = graph.ranks();
    const std::vector<const SpinorCopy*> copies = vectors_of(states);
    if (!ranks.speaks()) {
        for (const SpinorCopy* copy : copies) {
            if (!ranks.from_rank(0, true)) break;
            visit_on_first_rank(graph, *copy, {}, {});
        }
        return 0;
    }
    std::size_t wanted = 0;
    std::vector<std::byte> room;
    std::vector<VectorPieces> vectors;
    for (const SpinorCopy* copy : copies)
        vectors.push_back([&, copy](const auto& put) {
            ++wanted;
            ranks.from_rank(0, true);
            visit_on_first_rank(graph, *copy, room, put);
        });
    try {
        for (const SpinorCopy* copy : copies)
            room.resize(std::max(room.size(), largest_piece(graph, *copy)));
        return write_checkpoint(path, header_of(problem, states), vectors);
    } catch (...) {
        if (wanted < vectors.size()) ranks.from_rank(0, false);
        throw;
    }
}

std::vector<State> read_states(const CheckpointFile& file)
{
    return read_states(file, {{}, file.header().problem.lattice});
}

std::vector<State> read_states(const CheckpointFile& file, const Box& box)
{
    const CheckpointHeader& h = file.header();
    std::vector<State> states;
    for (std::size_t rhs = 0; rhs < h.sides.size(); ++rhs) {
        const CheckpointHeader::Side& side = h.sides[rhs];
        State& s = states.emplace_back();
        s.method = method_of(h.method);
        s.scalars = side.scalars;
        s.report = report_of(side.done);
        s.applications_at_start = side.applications_at_start;
        if (side.before) s.before = report_of(*side.before);
        for (std::size_t i = 0; i < h.vectors.size(); ++i)
            s.vectors.emplace_back(
                h.vectors[i], SpinorCopy{h.problem.lattice, box,
                                         h.problem.bits == 64 ? Precision::f64 : Precision::f32,
                                         h.problem.even_odd ? Sites::even : Sites::all,
                                         file.read_vector(i, box, rhs)});
    }
    return states;
}

} // namespace qcd

#include "drivers/spinor_files.hpp"

#include "drivers/commands.hpp"
#include "lattice/files/spinor_file.hpp"
#include "lattice/several_sources.hpp"
#include "lattice/text.hpp"
#include "runtime/ranks.hpp"

#include <fmt/format.h>

#include <cmath>

namespace qcd
{

namespace
{

/// Option and file, with which of its spinors.
struct Chosen {
    const char* option;
    std::string file;
    std::optional<int> number;
};

std::unique_ptr<SpinorSource> read_spinor(const Chosen& c, const Extents& lattice,
                                          const cli::ProblemOptions& problem,
                                          const cli::OutputOptions& output)
{
    const SpinorFile file =
        open_spinor_file(c.file, lattice,
                         {.basis = problem.basis,
                          .phases = problem.phases,
                          .angles = boundary_angles(problem.antiperiodic, problem.theta)});
    if (!c.number && file.spinors() > 1)
        throw Error(fmt::format("{}: there are {} spinors, numbered from 0 on: {}-number N says "
                                "which",
                                c.file, file.spinors(), c.option));
    auto spinor = file.spinor(c.number.value_or(0));
    file.verify();
    for (const std::string& line : file.notes()) note(line, output);
    return spinor;
}

/// Of ranks that write none.
class NoFile final : public SpinorWriter
{
    void add_site(const double*) override {}
    void finish() override {}
};

std::unique_ptr<SpinorWriter> solution_writer(const cli::SolveOptions& o, const Extents& lattice,
                                              const std::string& info)
{
    return make_spinor_writer(o.save_solution,
                              {.lattice = lattice,
                               .bits = o.precision == Precision::f64 ? 64 : 32,
                               .basis = o.solution_basis,
                               .info = info,
                               .phases = written_phases(o.solution_phases, o.problem)});
}

} // namespace

SaidPhases written_phases(BoundaryPhases where, const cli::ProblemOptions& problem)
{
    if (where == BoundaryPhases::boundary) return {};
    return {where, boundary_angles(problem.antiperiodic, problem.theta)};
}

std::vector<std::unique_ptr<SpinorSource>> open_problem_sources(cli::ProblemOptions o, int rhs,
                                                                const Extents& lattice,
                                                                const cli::OutputOptions& output)
{
    const std::string typed = o.source;
    std::vector<std::unique_ptr<SpinorSource>> all;
    for (int i = 0; i < rhs; ++i) {
        o.source = source_of_several(typed, i, rhs);
        all.push_back(open_problem_source(o, lattice, output));
    }
    return all;
}

std::unique_ptr<SpinorSource> open_problem_source(const cli::ProblemOptions& o,
                                                  const Extents& lattice,
                                                  const cli::OutputOptions& output)
{
    if (is_generated_source(o.source)) return open_spinor_source(o.source, lattice);
    return read_spinor({"--source", o.source, o.source_number}, lattice, o, output);
}

std::unique_ptr<SpinorSource> open_guess(const cli::SolveOptions& o, const Extents& lattice)
{
    if (o.guess.empty()) return nullptr;
    return read_spinor({"--guess", o.guess, o.guess_number}, lattice, o.problem, o.output);
}

void try_solution_file(const cli::SolveOptions& o, const Extents& lattice)
{
    if (!o.save_solution.empty() && ranks_of(o.machine).speaks()) solution_writer(o, lattice, "");
}

void save_solution(RunReport& r, const cli::SolveOptions& o,
                   const std::function<void(SpinorWriter&)>& add_sites)
{
    if (o.save_solution.empty()) return;
    Ranks& ranks = ranks_of(o.machine);
    std::unique_ptr<SpinorWriter> writer;
    const auto attempt = [&](const auto& step) {
        try {
            if (r.unsaved.empty()) step();
        } catch (const Error& e) {
            r.unsaved = e.what();
        }
    };
    attempt([&] {
        if (!std::isfinite(r.residual.recomputed))
            throw Error(fmt::format("{}: not written: x is not finite", o.save_solution));
        if (ranks.speaks())
            writer = solution_writer(o, r.problem.lattice,
                                     fmt::format("x of D x = b, |b - D x|/|b| = {:.3e}: {}",
                                                 r.residual.recomputed, r.command));
        else
            writer = std::make_unique<NoFile>();
    });
    if (ranks.any(!r.unsaved.empty())) return; // on all or none
    attempt([&] {
        add_sites(*writer);
        writer->finish();
        r.solution.file = o.save_solution;
        if (is_twisted(boundary_angles(o.problem.antiperiodic, o.problem.theta)))
            r.solution.phases = o.solution_phases;
    });
}

} // namespace qcd

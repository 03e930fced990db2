#include "drivers/run/spinor_files.hpp"

#include "base/text.hpp"
#include "drivers/spec/commands.hpp"
#include "lattice/files/spinor_file.hpp"
#include "lattice/several_sources.hpp"
#include "program/complain.hpp"
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

/// Reads `count` spinors that follow each other.
std::vector<std::unique_ptr<SpinorSource>> read_spinors(const Chosen& c, int count,
                                                        const Extents& lattice,
                                                        const ProblemSpec& problem,
                                                        const OutputSpec& output)
{
    const SpinorFile file =
        open_spinor_file(c.file, lattice,
                         {.basis = problem.basis(),
                          .phases = problem.phases(),
                          .angles = boundary_angles(problem.antiperiodic(), problem.theta()),
                          .ignore_checksum = problem.ignore_checksum()});
    const int first = c.number.value_or(0);
    if (!c.number && file.spinors() > 1 && count == 1)
        throw Error("{}: there are {} spinors, numbered from 0 on: {}-number N says "
                    "which",
                    c.file, file.spinors(), c.option);
    if (count > 1 && first > file.spinors() - count)
        throw Error("{}: --rhs {} are spinors {} to {}, numbered from 0 on: there are "
                    "{}",
                    c.file, count, first, first + count - 1, file.spinors());
    std::vector<std::unique_ptr<SpinorSource>> spinors;
    for (int i = 0; i < count; ++i) spinors.push_back(file.spinor(first + i));
    for (const auto& lines : {file.verify(), file.notes()})
        for (const std::string& line : lines) note(line, output.quiet());
    return spinors;
}

/// What ranks have that write no file.
class NoFile final : public SpinorWriter
{
    void add_site(const double*) override {}
    void finish() override {}
};

std::unique_ptr<SpinorWriter> solution_writer(const RunSpec& o, const Extents& lattice,
                                              const std::string& info)
{
    return make_spinor_writer(
        o.output.save_solution(),
        {.lattice = lattice,
         .bits = o.method.precision() == Precision::f64 ? 64 : 32,
         .basis = o.output.solution_basis().value_or(SpinBasis::degrand_rossi),
         .spinors = *o.execution.rhs(),
         .info = info,
         .phases = written_phases(o.output.solution_phases(), o.problem)});
}

} // namespace

SaidPhases written_phases(std::optional<BoundaryPhases> where, const ProblemSpec& problem)
{
    if (where.value_or(BoundaryPhases::boundary) == BoundaryPhases::boundary) return {};
    return {*where, boundary_angles(problem.antiperiodic(), problem.theta())};
}

std::vector<std::unique_ptr<SpinorSource>>
open_problem_sources(ProblemSpec o, int rhs, const Extents& lattice, const OutputSpec& output)
{
    const std::string typed = o.source();
    if (!is_generated_source(typed))
        return read_spinors({"--source", typed, o.source_number()}, rhs, lattice, o, output);
    std::vector<std::unique_ptr<SpinorSource>> all;
    for (int i = 0; i < rhs; ++i)
        all.push_back(open_spinor_source(source_of_several(typed, i, rhs), lattice));
    return all;
}

std::unique_ptr<SpinorSource> open_problem_source(const ProblemSpec& o, const Extents& lattice,
                                                  const OutputSpec& output)
{
    return std::move(open_problem_sources(o, 1, lattice, output).front());
}

std::vector<std::unique_ptr<SpinorSource>> open_guesses(const RunSpec& o, const Extents& lattice)
{
    if (o.problem.guess().empty()) return {};
    return read_spinors({"--guess", o.problem.guess(), o.problem.guess_number()},
                        *o.execution.rhs(), lattice, o.problem, o.output);
}

void try_solution_file(const RunSpec& o, const Extents& lattice, const Ranks& ranks)
{
    if (!o.output.save_solution().empty() && ranks.speaks()) solution_writer(o, lattice, "");
}

void save_solution(RunReport& r, const RunSpec& o, Ranks& ranks,
                   const std::function<void(SpinorWriter&)>& add_sites)
{
    if (o.output.save_solution().empty()) return;
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
            throw Error("{}: not written: x is not finite", o.output.save_solution());
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
        r.solution.file = o.output.save_solution();
        if (is_twisted(boundary_angles(o.problem.antiperiodic(), o.problem.theta())))
            r.solution.phases = o.output.solution_phases().value_or(BoundaryPhases::boundary);
    });
}

} // namespace qcd

#include "drivers/commands/commands.hpp"
#include "drivers/plan/worker_choice.hpp"
#include "drivers/report/recorders.hpp"
#include "drivers/run/checkpointing.hpp"
#include "drivers/run/problem.hpp"
#include "drivers/run/spinor_files.hpp"
#include "drivers/run/with_baseline.hpp"
#include "drivers/run/with_starpu.hpp"
#include "drivers/spec/rules.hpp"
#include "program/complain.hpp"
#include "program/provenance.hpp"
#include "program/stop.hpp"

#include <nlohmann/json.hpp>

#include <exception>
#include <iostream>
#include <optional>

namespace qcd
{

namespace
{

/// The JSON and the traces; one that fails does not cost the others.
void write_files(const RunSpec& options, const RunReport& r, std::optional<Recorders>& recorders,
                 Ranks& ranks)
{
    const OutputSpec& o = options.output;
    Failure failures{"", exit_bad_input};
    const auto attempt = [&](const auto& write) {
        try {
            write();
        } catch (const std::exception& e) {
            const auto [line, status] = failure_of(e);
            failures.line += (failures.line.empty() ? "" : "; ") + line;
            if (status == exit_missing_device) failures.status = status;
        }
    };
    attempt([&] {
        if (!r.unsaved.empty()) throw Error(r.unsaved);
    });
    attempt([&] {
        if (o.json().empty()) return;
        leave_opencl_out(
            session_options(options.execution, false, ranks)); // the plain engines have not said so
        write_result({o.json()}, to_json(r), o);
    });
    if (recorders) recorders->write(r, o, attempt);
    if (!failures.line.empty()) throw Error(failures.line, failures.status);
}

} // namespace

int run_solve(const SolveSpec& asked, Ranks& ranks)
{
    std::string chosen;
    RunSpec o = completed(asked.run, &chosen);
    note(chosen, o.output.quiet());
    if (!o.execution.checkpoint().empty()) handle_checkpoint_signal();
    const auto gauge = open_problem_gauge(o.problem, o.output, ranks);
    const bool plain = o.execution.engine() != Engine::starpu; // has all reals of the links
    if (!o.method.links())
        o.method.links = plain ? LinkStorage::full : default_links(*gauge, o.method.precision());
    const auto sources =
        open_problem_sources(o.problem, *o.execution.rhs(), gauge->extents(), o.output);
    const auto& source = sources.front();
    const auto guesses = open_guesses(o, gauge->extents());
    try_solution_file(o, gauge->extents(), ranks);
    const auto checkpointing = open_checkpoints(o, gauge->extents(), sources);
    std::optional<Recorders> recorders;
    if (!plain && !o.output.dry_run()) recorders.emplace(o, ranks);
    RunReport r =
        plain ? solve_with_baseline(o, *gauge, *source)
              : solve_with_starpu(o, *gauge, *source, ranks, recorders ? &*recorders : nullptr,
                                  {guesses, checkpointing.get(), sources});
    if (o.output.dry_run()) {
        if (!r.plan && !o.output.quiet()) std::cout << "command         " << r.command << '\n';
        return exit_converged;
    }
    complete(r);
    if (!o.output.quiet()) print_text(std::cout, r);
    note(multigrid_advice(r, o), o.output.quiet());
    write_files(o, r, recorders, ranks);
    return exit_status(r);
}

} // namespace qcd

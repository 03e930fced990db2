#include "drivers/commands/commands.hpp"
#include "drivers/ensemble/ensemble_run.hpp"
#include "drivers/report/recorders.hpp"
#include "program/complain.hpp"
#include "program/json_file.hpp"
#include "program/provenance.hpp"
#include "program/stop.hpp"
#include "runtime/ranks.hpp"

#include <nlohmann/json.hpp>

#include <iostream>
#include <optional>

namespace qcd
{

int run_generate(const GenerateSpec& g, Ranks& ranks)
{
    const OutputSpec& o = g.run.output;
    if (!g.run.execution.checkpoint().empty()) handle_checkpoint_signal();
    SavedEnsemble beginning = beginning_of(g);
    if (!g.plot().empty() && ranks.speaks()) require_history_folder(g.plot());
    std::optional<Recorders> recorders;
    if (!o.trace().empty() || !o.report().empty()) recorders.emplace(g.run, ranks);
    const EnsembleReport r =
        run_ensemble(g, std::move(beginning), ranks, recorders ? &*recorders : nullptr);
    if (!o.quiet()) print_text(std::cout, r);
    const auto result = with_provenance(to_json(r), o, find_devices(), starpu_build());
    if (!o.json().empty()) write_json(o.json(), result);
    if (!g.plot().empty() && ranks.speaks()) note(plot_history(g.plot(), r), o.quiet());
    if (recorders)
        recorders->write(
            r.run, o, [](const auto& write) { write(); }, &result);
    if (r.interrupted && r.checkpoint.empty())
        note("generate: interrupted; without --checkpoint nothing is kept to go on from",
             o.quiet());
    return r.interrupted ? exit_not_converged : exit_converged;
}

} // namespace qcd

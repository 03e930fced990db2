#include "drivers/run/checkpointing.hpp"

#include "base/error.hpp"
#include "drivers/run/run_report.hpp"
#include "drivers/spec/commands.hpp"
#include "program/complain.hpp"
#include "runtime/ranks.hpp"
#include "tasks/lattice_graph.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace qcd
{

Checkpointing::Checkpointing(const RunSpec& o, const Extents& lattice,
                             std::span<const std::unique_ptr<SpinorSource>> sources)
    : problem_(checkpoint_problem(o, lattice, sources)), resume_(o.execution.resume()),
      file_(o.execution.checkpoint()),
      interval_(o.execution.checkpoint_every().value_or(CheckpointInterval{}))
{
    const auto open = [&](const std::string& file, const char* otherwise) {
        try {
            opened_.push_back({std::make_unique<CheckpointFile>(open_file_bytes(file)), otherwise});
        } catch (const Error& e) {
            throw Error(std::string(e.what()) + otherwise);
        }
        require_same(opened_.back(), false);
    };
    if (!resume_.empty()) open(resume_, "");
    std::error_code none;
    if (file_.empty() || !std::filesystem::exists(file_, none)) return;
    if (!resume_.empty() && std::filesystem::equivalent(file_, resume_, none)) return;
    open(file_, "; --checkpoint would replace it");
    note(fmt::format("{}: of this solve, at iteration {}: --resume would go on from it", file_,
                     opened_.back().file->header().iterations()),
         o.output.quiet());
}

void Checkpointing::require_same(const Opened& opened, bool links_are_known) const
{
    const std::string what = difference(opened.file->header().problem, problem_, links_are_known);
    if (!what.empty())
        throw Error("{}: checkpoint of another problem: {}{}", opened.file->name(), what,
                    opened.otherwise);
}

void Checkpointing::require_links(std::uint64_t digest)
{
    problem_.links_digest = digest;
    for (const Opened& opened : opened_) require_same(opened, true);
}

std::optional<std::vector<State>> Checkpointing::begin(RunReport& r, const LatticeGraph& graph)
{
    std::optional<std::vector<State>> states;
    if (!resume_.empty()) {
        states = read_states(*opened_.front().file, graph.owned_box());
        const CheckpointHeader& h = opened_.front().file->header();
        r.resumed = {
            .file = resume_, .iteration = h.iterations(), .applications = h.applications()};
    }
    opened_.clear();
    if (!file_.empty())
        writer_ = std::make_unique<CheckpointWriter>(file_, problem_, interval_, complain,
                                                     graph.ranks().several() ? &graph : nullptr);
    return states;
}

void Checkpointing::end(RunReport& r)
{
    if (!writer_) return;
    const std::string failure = writer_->finish();
    if (r.converged && !failure.empty() && !writer_->has_complained()) complain(failure);
    if (!r.converged) r.add_unsaved(failure);
    const CheckpointCounts& c = writer_->counts();
    r.checkpoint = {.file = file_,
                    .every_iterations = interval_.iterations,
                    .every_seconds = double(interval_.time.count()),
                    .written = c.written,
                    .failed = c.failed,
                    .iteration = c.iteration,
                    .seconds = c.seconds,
                    .bytes = long(c.bytes)};
}

std::unique_ptr<Checkpointing>
open_checkpoints(const RunSpec& o, const Extents& lattice,
                 std::span<const std::unique_ptr<SpinorSource>> sources)
{
    if (o.execution.checkpoint().empty() && o.execution.resume().empty()) return nullptr;
    return std::make_unique<Checkpointing>(o, lattice, sources);
}

} // namespace qcd

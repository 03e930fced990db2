#include "tasks/scalars.hpp"

#include "codelets/last_residual/last_residual.hpp"
#include "codelets/merge_sums/merge_sums.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/ranks.hpp"
#include "tasks/exchange.hpp"

#include <cstring>

namespace qcd
{

LatticeSums::LatticeSums(LatticeGraph& graph, Sites sites) : graph_(graph), sites_(sites)
{
    opencl_prepare(last_residual_codelets().alone);
    for (int parity = 0; parity < 2; ++parity) {
        if (!has_parity(sites, parity)) continue;
        index_[parity].resize(graph.tiling().tile_count(), -1);
        for (const int tile : graph.owned_tiles()) {
            index_[parity][tile] = int(parts_.size());
            parts_.push_back(std::make_unique<HostData>(graph, graph.rhs() * QCD_TASK_SUM_WORDS,
                                                        sizeof(i64), graph.owner_of_tile(tile),
                                                        tile));
        }
    }
    // A tree of merges; with one part there is nothing to merge.
    for (std::size_t n = parts_.size(); n > 1;) {
        n = (n + QCD_MERGE_FAN_IN - 1) / QCD_MERGE_FAN_IN;
        for (std::size_t i = 0; i < n; ++i)
            partial_.push_back(std::make_unique<HostData>(graph, graph.rhs() * QCD_TASK_SUM_WORDS,
                                                          sizeof(i64), graph.owner_of_scalars()));
    }
    of_ranks_.emplace(graph, (partial_.empty() ? parts_ : partial_).back()->data());
}

int LatticeSums::merges(int parts)
{
    int tasks = 0;
    while (parts > 1) tasks += parts = (parts + QCD_MERGE_FAN_IN - 1) / QCD_MERGE_FAN_IN;
    return tasks;
}

void LatticeSums::merge() const
{
    const std::vector<std::unique_ptr<HostData>>* from = &parts_;
    std::size_t first = 0, count = parts_.size(), out = 0;
    while (count > 1) {
        const std::size_t level = out;
        for (std::size_t i = 0; i < count; i += QCD_MERGE_FAN_IN) {
            std::vector<Operand> slots = {partial_[out++]->data()};
            for (std::size_t j = i; j < std::min(count, i + QCD_MERGE_FAN_IN); ++j)
                slots.push_back((*from)[first + j]->data());
            graph_.submit(merge_sums_codelet(), merge_sums_args{int(slots.size()) - 1}, slots);
        }
        from = &partial_;
        first = level;
        count = out - level;
    }
    of_ranks_->submit();
}

std::array<double, QCD_MAX_SUMS> LatticeSums::wait(int rhs) const
{
    using Words = std::array<i64, QCD_TASK_SUM_WORDS>;
    Words mine{}, sums{};
    for (const auto& part : parts_) {
        graph_.acquire(part->data(), STARPU_R);
        for (int w = 0; w < QCD_TASK_SUM_WORDS; ++w)
            mine[w] += static_cast<const i64*>(part->host())[rhs * QCD_TASK_SUM_WORDS + w];
        graph_.release(part->data());
    }
    for (const Words& of_rank : graph_.ranks().all(mine))
        for (int w = 0; w < QCD_TASK_SUM_WORDS; ++w) sums[w] += of_rank[w];
    std::array<double, QCD_MAX_SUMS> value;
    for (int i = 0; i < QCD_MAX_SUMS; ++i)
        value[i] = round_exact_sum(sums.data() + i * QCD_SUM_WORDS);
    return value;
}

ScalarData::ScalarData(LatticeGraph& graph, std::size_t stride) : graph_(&graph), stride_(stride)
{
    for (const int worker : graph.exchange().owners_of_scalars())
        copies_.push_back(
            std::make_unique<HostData>(graph, graph.rhs() * stride, sizeof(double), worker));
}

double ScalarData::gate(int rhs) const
{
    double gate;
    read(&gate, sizeof gate, rhs);
    return gate;
}

void ScalarData::set_gate(double gate, int rhs) const { write(&gate, sizeof gate, rhs); }

void ScalarData::set_starting_tolerance(double tol, int rhs) const
{
    solve_scalars s{};
    s.stop = tol;
    write(&s, sizeof s, rhs);
}

void ScalarData::read(void* to, std::size_t bytes, int rhs) const
{
    graph_->acquire(copy(0), STARPU_R);
    std::memcpy(to, static_cast<const double*>(copies_.front()->host()) + rhs * stride_, bytes);
    graph_->release(copy(0));
}

void ScalarData::write(const void* from, std::size_t bytes, int rhs) const
{
    for (int i = 0; i < copies(); ++i) {
        graph_->acquire(copy(i), bytes < stride_ * sizeof(double) || graph_->rhs() > 1 ? STARPU_RW
                                                                                       : STARPU_W);
        auto* all = static_cast<double*>(starpu_data_get_local_ptr(copy(i).handle));
        std::memcpy(all + rhs * stride_, from, bytes);
        graph_->release(copy(i));
    }
}

std::vector<Operand> scalar_slots(const ScalarStep& s, int i)
{
    return {Operand(s.scalars.copy(i), !s.args.begins),
            s.history ? Operand(s.history->copy(i), s.args.place > 0) : Operand{}};
}

} // namespace qcd

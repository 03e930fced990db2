#include "tasks/scalars.hpp"

#include "codelets/merge_sums/merge_sums.hpp"
#include "codelets/runtime/opencl_program.hpp"
#include "tasks/linked_workers.hpp"

#include <cstring>

namespace qcd
{

LatticeSums::LatticeSums(const Tiling& tiling, Sites sites)
{
    opencl_prepare_scalars();
    for (int parity = 0; parity < 2; ++parity) {
        index_[parity] = int(parts_.size());
        for (int tile = 0; has_parity(sites, parity) && tile < tiling.tile_count(); ++tile)
            parts_.push_back(std::make_unique<HostData>(QCD_TASK_SUM_WORDS, sizeof(i64),
                                                        worker_of(tile, tiling.tile_count())));
    }
    if (!linked_workers().empty()) return;
    // A tree of merges; with one part there is nothing to merge.
    for (std::size_t n = parts_.size(); n > 1;) {
        n = (n + QCD_MERGE_FAN_IN - 1) / QCD_MERGE_FAN_IN;
        for (std::size_t i = 0; i < n; ++i)
            partial_.push_back(
                std::make_unique<HostData>(QCD_TASK_SUM_WORDS, sizeof(i64), worker_of(0, 1)));
    }
    total_ = partial_.empty() ? parts_.front().get() : partial_.back().get();
}

std::vector<Data> LatticeSums::parts_of(int i) const
{
    std::vector<Data> own;
    for (std::size_t part = i; part < parts_.size(); part += linked_workers().size())
        own.push_back(parts_[part]->data());
    return own;
}

void LatticeSums::merge() const
{
    const std::vector<std::unique_ptr<HostData>>* from = &parts_;
    std::size_t first = 0, count = parts_.size(), out = 0;
    while (count > 1) {
        const std::size_t level = out;
        for (std::size_t i = 0; i < count; i += QCD_MERGE_FAN_IN) {
            std::vector<Access> slots = {writes(partial_[out++]->data())};
            for (std::size_t j = i; j < std::min(count, i + QCD_MERGE_FAN_IN); ++j)
                slots.push_back(reads((*from)[first + j]->data()));
            submit(merge_sums_codelet(), merge_sums_args{int(slots.size()) - 1}, slots, 0,
                   Priority::early);
        }
        from = &partial_;
        first = level;
        count = out - level;
    }
}

std::array<double, QCD_MAX_SUMS> LatticeSums::wait() const
{
    std::array<i64, QCD_TASK_SUM_WORDS> sums{};
    for (const auto& part : parts_) {
        acquire(part->data(), STARPU_R);
        for (int w = 0; w < QCD_TASK_SUM_WORDS; ++w)
            sums[w] += static_cast<const i64*>(part->host())[w];
        release(part->data());
    }
    std::array<double, QCD_MAX_SUMS> value;
    for (int i = 0; i < QCD_MAX_SUMS; ++i)
        value[i] = round_exact_sum(sums.data() + i * QCD_SUM_WORDS);
    return value;
}

Coefficients::Coefficients()
{
    std::vector<int> workers = linked_workers();
    if (workers.empty()) workers = {worker_of(0, 1)};
    for (const int worker : workers)
        copies_.push_back(std::make_unique<HostData>(QCD_COEFFICIENTS, sizeof(double), worker));
}

std::array<double, QCD_COEFFICIENTS> Coefficients::wait() const
{
    std::array<double, QCD_COEFFICIENTS> c;
    acquire(copy(0), STARPU_R);
    std::memcpy(c.data(), copies_.front()->host(), sizeof c);
    release(copy(0));
    return c;
}

} // namespace qcd

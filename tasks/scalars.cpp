#include "tasks/scalars.hpp"

#include "codelets/exchange/exchange.hpp"
#include "codelets/merge_sums/merge_sums.hpp"
#include "codelets/runtime/opencl_program.hpp"

#include <cstring>

namespace qcd
{

namespace
{
constexpr int words = QCD_MAX_SUMS * QCD_SUM_WORDS;
constexpr std::size_t part_bytes = (words + 1) * sizeof(i64) / 64 * 64 + 64; // and a flag
} // namespace

HostData::HostData(std::size_t elements, std::size_t element_bytes, int worker)
    : memory_(elements * element_bytes), data_{.worker = worker}
{
    starpu_memory_pin(memory_.data(), memory_.size());
    starpu_vector_data_register(&data_.handle, STARPU_MAIN_RAM,
                                reinterpret_cast<uintptr_t>(memory_.data()), elements,
                                element_bytes);
}

HostData::~HostData()
{
    unregister(data_);
    starpu_memory_unpin(memory_.data(), memory_.size());
}

LatticeSums::LatticeSums(const Tiling& tiling, Sites sites)
{
    opencl_prepare_scalars();
    for (int parity = 0; parity < 2; ++parity) {
        index_[parity] = int(parts_.size());
        for (int tile = 0; has_parity(sites, parity) && tile < tiling.tile_count(); ++tile)
            parts_.push_back(std::make_unique<HostData>(words, sizeof(i64),
                                                        worker_of(tile, tiling.tile_count())));
    }
    if (!linked_workers().empty()) {
        link();
        return;
    }
    // A tree of merges; with one part there is nothing to merge.
    for (std::size_t n = parts_.size(); n > 1;) {
        n = (n + QCD_MERGE_FAN_IN - 1) / QCD_MERGE_FAN_IN;
        for (std::size_t i = 0; i < n; ++i)
            partial_.push_back(std::make_unique<HostData>(words, sizeof(i64), worker_of(0, 1)));
    }
    total_ = partial_.empty() ? parts_.front().get() : partial_.back().get();
}

/// wait() waits for one of the linked workers; the others may still read what comes to them.
LatticeSums::~LatticeSums()
{
    if (!linked_.empty()) wait_for_all();
}

void LatticeSums::link()
{
    for (const int worker : linked_workers())
        linked_.push_back({std::make_unique<HostData>(words, sizeof(i64), worker),
                           std::make_unique<PeerMemory>(worker, 2 * parts_.size() * part_bytes)});
}

Data LatticeSums::inbox(int i) const
{
    return {.worker = linked_workers()[i],
            .peer = linked_[i].inbox->at((merges_ % 2) * parts_.size() * part_bytes)};
}

/// Every worker sends its parts to all others and adds up what it then has. Nobody can be two turns
/// ahead of another, because a turn needs the parts of all.
void LatticeSums::merge_linked() const
{
    ++merges_;
    const int workers = int(linked_.size()), parts = int(parts_.size());
    for (int w = 0; w < workers; ++w) {
        exchange_args args{merges_, words, int(part_bytes / sizeof(i64)), parts, workers - 1,
                           0,       {}};
        std::vector<Access> slots(exchange_slots);
        slots[exchange_order] = writes(order_of(linked_workers()[w]));
        for (int part = w; part < parts; part += workers) {
            slots[exchange_sources + args.sources] = reads(parts_[part]->data());
            args.own[args.sources++] = part;
        }
        slots[exchange_inbox] = reads(inbox(w));
        slots[exchange_total] = writes(linked_[w].total->data());
        for (int peer = 0, slot = exchange_targets; peer < workers; ++peer)
            if (peer != w) slots[slot++] = writes(inbox(peer));
        submit(exchange_codelet(), args, slots);
    }
}

void LatticeSums::merge() const
{
    if (!linked_.empty()) return merge_linked();
    const std::vector<std::unique_ptr<HostData>>* from = &parts_;
    std::size_t first = 0, count = parts_.size(), out = 0;
    while (count > 1) {
        const std::size_t level = out;
        for (std::size_t i = 0; i < count; i += QCD_MERGE_FAN_IN) {
            std::vector<Access> slots = {writes(partial_[out++]->data())};
            for (std::size_t j = i; j < std::min(count, i + QCD_MERGE_FAN_IN); ++j)
                slots.push_back(reads((*from)[first + j]->data()));
            submit(merge_sums_codelet(Precision::f64), merge_sums_args{int(slots.size()) - 1},
                   slots, 0, Priority::early);
        }
        from = &partial_;
        first = level;
        count = out - level;
    }
}

std::array<double, QCD_MAX_SUMS> LatticeSums::wait() const
{
    merge();
    const HostData& total = linked_.empty() ? *total_ : *linked_.front().total;
    acquire(total.data(), STARPU_R);
    std::array<double, QCD_MAX_SUMS> value;
    for (int i = 0; i < QCD_MAX_SUMS; ++i)
        value[i] = round_exact_sum(static_cast<const i64*>(total.host()) + i * QCD_SUM_WORDS);
    release(total.data());
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

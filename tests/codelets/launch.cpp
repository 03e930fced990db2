#include "tests/codelets/launch.hpp"

#include "runtime/graph.hpp"
#include "tests/codelets/sums.hpp"
#include "tests/runtime/session.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace qcd::test
{

namespace
{

void run_task(const Codelet& codelet, const void* args, const std::vector<SlotMemory>& slots,
              int layers, bool downwards)
{
    // Only batches know memory that is no data.
    const bool peers =
        std::any_of(slots.begin(), slots.end(), [](const SlotMemory& s) { return s.peer; });
    Graph graph({.kind = peers ? PlanKind::batch : PlanKind::graph}, layers);
    while (graph.turn() != downwards) continue;
    std::vector<Operand> operands;
    for (const SlotMemory& s : slots) {
        Data d;
        if (s.peer)
            d.peer = s.data;
        else if (s.data)
            starpu_vector_data_register(&d.handle, STARPU_MAIN_RAM, uintptr_t(s.data), s.elements,
                                        s.element_bytes);
        // Updates all: what is to be written carries its poison to the device, and what the device
        // did to its inputs comes back.
        operands.push_back(updated(d));
    }
    {
        Graph::Batch batch(graph);
        graph.submit_task(codelet, args, operands);
    }
    graph.wait();
    for (const Operand& o : operands)
        if (o.data.handle) starpu_data_unregister(o.data.handle);
}

std::vector<std::vector<char>> bytes_of(const std::vector<SlotMemory>& slots)
{
    std::vector<std::vector<char>> all;
    for (const SlotMemory& s : slots)
        all.emplace_back(static_cast<char*>(s.data), static_cast<char*>(s.data) + s.bytes());
    return all;
}

/// What a slot holds, equal sums by equal bytes: the words that they are kept in depend on which
/// sites share a thread block.
std::vector<char> value_of(const Slot& slot, const std::vector<char>& bytes)
{
    if (slot.holds != std::string_view("exact sums")) return bytes;
    Buffer<i64> words(bytes.size() / sizeof(i64));
    if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
    return bytes_of(canonical(words));
}

} // namespace

void Backend::start() const
{
    use_workers(kind_ == "cpu"      ? Workers{.cpu = 1}
                : kind_ == "opencl" ? Workers{.opencl = 1}
                                    : Workers{.cuda = 1});
}

std::unique_ptr<PeerMemory> Backend::peer_memory(std::size_t bytes) const
{
    start();
    return std::make_unique<PeerMemory>(0, bytes);
}

void Backend::run_kernel(const Codelet& codelet, const void* args, void* const* slots,
                         int layers) const
{
    if (shares_ > 1) zero_what_is_added_to(codelet, slots, layers);
    for (int share = shares_ - 1; share >= 0; --share) // in any order
        codelet.kernels.cpu[int(isa_)](args, slots, {share, shares_, shares_ > 1, layers});
}

void Backend::run_raw(const Codelet& codelet, const void* args, std::vector<SlotMemory> slots,
                      int layers) const
{
    INFO("backend " << name() << ", operation " << codelet.name);
    slots.resize(codelet.slots.size());
    const std::vector<std::vector<char>> before = bytes_of(slots);
    if (kind_ == "cpu") {
        std::vector<void*> pointers;
        for (const SlotMemory& s : slots) pointers.push_back(s.data);
        run_kernel(codelet, args, pointers.data(), layers);
    } else {
        start();
        run_task(codelet, args, slots, layers, false);
        if (std::none_of(slots.begin(), slots.end(), [](const SlotMemory& s) { return s.peer; })) {
            const std::vector<std::vector<char>> one_way = bytes_of(slots);
            for (std::size_t s = 0; s < slots.size(); ++s)
                std::copy(before[s].begin(), before[s].end(), static_cast<char*>(slots[s].data));
            run_task(codelet, args, slots, layers, true);
            const std::vector<std::vector<char>> other_way = bytes_of(slots);
            for (std::size_t s = 0; s < slots.size(); ++s)
                require_same_bytes("both directions", value_of(codelet.slots[s], one_way[s]),
                                   value_of(codelet.slots[s], other_way[s]));
        }
    }
    for (std::size_t s = 0; s < slots.size(); ++s)
        if (slots[s].input && std::memcmp(before[s].data(), slots[s].data, slots[s].bytes()) != 0)
            FAIL("the input in slot " << s << " has changed");
}

const std::vector<Backend>& backends()
{
    static const std::vector<Backend> present = [] {
        std::vector<Backend> b;
        const bool cores = has_workers("cpu");
#ifdef QCD_GENERIC_KERNELS
        const Isa best = Isa::generic;
#else
        const Isa best = cpu_isa();
#endif
        for (const Isa isa : {Isa::generic, Isa::avx2, Isa::avx512})
            if (cores && isa <= best) b.push_back(Backend::cpu(isa));
        if (cores) b.push_back(Backend::cpu(cpu_isa(), 3));
        if (has_workers("opencl")) b.push_back(Backend::opencl());
        if (has_workers("cuda")) b.push_back(Backend::cuda());
        return b;
    }();
    return present;
}

void require_same_bytes(const std::string& what, const std::vector<char>& a,
                        const std::vector<char>& b)
{
    INFO(what << " must give the same bits");
    REQUIRE(a.size() == b.size());
    const auto differ = std::mismatch(a.begin(), a.end(), b.begin());
    INFO("first different byte: " << differ.first - a.begin() << " of " << a.size());
    REQUIRE(bool(differ.first == a.end()));
}

} // namespace qcd::test

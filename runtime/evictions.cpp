#include "runtime/evictions.hpp"

#include "runtime/events.hpp"

#include <starpu.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <utility>

namespace qcd
{

/// StarPU calls functions, without an object.
struct Evictions::Hooks {
    static const starpu_data_interface_ops& starpus();
    static std::atomic<Evictions*>& recorder();
    static int& full();

    static starpu_ssize_t allocate(void* interface, unsigned node)
    {
        const starpu_ssize_t got = starpus().allocate_data_on_node(interface, node);
        full() = got == -ENOMEM ? int(node) : -1;
        return got;
    }
    static void free(void* interface, unsigned node)
    {
        note(interface, node);
        starpus().free_data_on_node(interface, node);
    }
    static void reuse(void* to, const void* from, unsigned node)
    {
        if (std::exchange(full(), -1) == int(node)) note(to, node);
        starpus().reuse_data_on_node(to, from, node);
    }
    static void note(void* interface, unsigned node)
    {
        Evictions* const one = recorder();
        if (one && starpu_node_get_kind(node) != STARPU_CPU_RAM) one->add(interface, node);
    }
};

// Not in the class: what is inline there has one copy in a process, but simulated ranks, which are
// copies of the program in one process, need one each.

/// StarPU's own, known before the first is replaced.
const starpu_data_interface_ops& Evictions::Hooks::starpus()
{
    static const starpu_data_interface_ops ops = starpu_interface_vector_ops;
    return ops;
}

std::atomic<Evictions*>& Evictions::Hooks::recorder()
{
    static std::atomic<Evictions*> one{nullptr};
    return one;
}

/// Where this thread has asked for memory in vain, and has got none since; -1: nowhere.
int& Evictions::Hooks::full()
{
    thread_local int node = -1;
    return node;
}

Evictions::Evictions()
{
    Hooks::starpus();
    Hooks::recorder() = this;
    starpu_interface_vector_ops.allocate_data_on_node = &Hooks::allocate;
    starpu_interface_vector_ops.free_data_on_node = &Hooks::free;
    starpu_interface_vector_ops.reuse_data_on_node = &Hooks::reuse;
}

Evictions::~Evictions()
{
    const starpu_data_interface_ops& before = Hooks::starpus();
    starpu_interface_vector_ops.allocate_data_on_node = before.allocate_data_on_node;
    starpu_interface_vector_ops.free_data_on_node = before.free_data_on_node;
    starpu_interface_vector_ops.reuse_data_on_node = before.reuse_data_on_node;
    Hooks::recorder() = nullptr;
}

void Evictions::add(void* interface, unsigned node)
{
    const double bytes =
        double(STARPU_VECTOR_GET_NX(interface)) * double(STARPU_VECTOR_GET_ELEMSIZE(interface));
    const std::lock_guard lock(mutex_);
    log_.push_back({int(node), bytes, Events::now()});
}

std::vector<Eviction> Evictions::take()
{
    std::vector<Eviction> all = std::exchange(log_, {});
    std::sort(all.begin(), all.end(),
              [](const Eviction& a, const Eviction& b) { return a.time < b.time; });
    return all;
}

} // namespace qcd

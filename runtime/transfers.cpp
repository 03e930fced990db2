#include "runtime/transfers.hpp"

#include "runtime/events.hpp"

#include <starpu.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <utility>

namespace qcd
{

namespace
{

/// StarPU's own, known before the first is replaced.
const starpu_data_copy_methods& starpu_methods()
{
    static const starpu_data_copy_methods* const methods = starpu_interface_vector_ops.copy_methods;
    return *methods;
}

/// Whom copies are shown to: StarPU calls a function, without an object.
std::atomic<Transfers*>& recorder()
{
    static std::atomic<Transfers*> one{nullptr};
    return one;
}

} // namespace

Transfers::Transfers()
{
    static const starpu_data_copy_methods recording = [] {
        starpu_data_copy_methods methods = starpu_methods();
        methods.any_to_any = &Transfers::copy;
        return methods;
    }();
    recorder() = this;
    starpu_interface_vector_ops.copy_methods = &recording;
}

Transfers::~Transfers()
{
    starpu_interface_vector_ops.copy_methods = &starpu_methods();
    recorder() = nullptr;
}

int Transfers::copy(void* from, unsigned from_node, void* to, unsigned to_node, void* async)
{
    const std::size_t bytes =
        std::size_t(STARPU_VECTOR_GET_NX(from)) * STARPU_VECTOR_GET_ELEMSIZE(from);
    Transfer t{int(from_node), int(to_node), double(bytes), Events::now()};
    const int status = starpu_methods().any_to_any(from, from_node, to, to_node, async);
    t.expected = status == -EAGAIN;
    t.ended = Events::now();
    if (t.expected) {
        const double seconds = 1e-6 * starpu_transfer_predict(from_node, to_node, bytes);
        if (std::isfinite(seconds)) t.ended = std::max(t.ended, t.began + seconds);
    }
    if (Transfers* one = recorder()) {
        const std::lock_guard lock(one->mutex_);
        one->log_.push_back(t);
    }
    return status;
}

std::vector<Transfer> Transfers::take()
{
    std::vector<Transfer> all = std::exchange(log_, {});
    std::sort(all.begin(), all.end(),
              [](const Transfer& a, const Transfer& b) { return a.began < b.began; });
    return all;
}

} // namespace qcd

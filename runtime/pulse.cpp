#include "runtime/pulse.hpp"

#include <starpu.h>

namespace qcd
{

namespace
{
constexpr unsigned all_workers = 0; // StarPU's context of them
}

Pulse* Pulse::of_session()
{
    return static_cast<Pulse*>(starpu_sched_ctx_get_user_data(all_workers));
}

void Pulse::hand_to_starpu() { starpu_sched_ctx_set_user_data(all_workers, this); }

} // namespace qcd

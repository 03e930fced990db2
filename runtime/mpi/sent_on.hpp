#pragma once

#include <starpu.h>

namespace qcd
{

/// Data that were received, and are read by a device's tasks, begin their way to its memory: else
/// they would wait until nothing but the copy keeps a task from being executed, as a hop's border
/// waits for its inside.
inline void send_on_to(int worker, starpu_data_handle_t data)
{
    if (worker < 0) return;
    const unsigned memory = starpu_worker_get_memory_node(unsigned(worker));
    if (memory != STARPU_MAIN_RAM) starpu_data_prefetch_on_node(data, memory, 1);
}

} // namespace qcd

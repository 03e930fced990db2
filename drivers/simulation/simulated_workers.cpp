#include "drivers/simulation/simulated_workers.hpp"

#include "base/error.hpp"
#include "drivers/plan/worker_choice.hpp"

namespace qcd
{

SessionOptions simulated_workers(const RunSpec& o, const Extents& lattice,
                                 const SimulatedMachine& m, Ranks& ranks)
{
    SessionOptions s =
        workers_for(o, lattice, m.cuda.count, m.cores, ranks, [](const std::string&) {});
    if (s.cpus.value_or(0) > m.cores)
        throw DeviceError("--cpus: {} CPU workers asked for, the machine has {} cores", *s.cpus,
                          m.cores);
    if (s.cores_per_worker > 1)
        throw Error("a solve on one tile would have one worker of {} cores, which is "
                    "not simulated: say the number of CPU workers",
                    s.cores_per_worker);
    s.stop = nullptr; // time stands still where nothing is simulated
    s.end_stalled = nullptr;
    return s;
}

} // namespace qcd

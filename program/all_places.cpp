#include "program/all_places.hpp"

#include <omp.h>
#include <vector>

namespace qcd
{

AllPlaces::AllPlaces()
{
    cpu_set_t all;
    CPU_ZERO(&all);
    for (int place = 0; place < omp_get_num_places(); ++place) {
        std::vector<int> cpus(omp_get_place_num_procs(place));
        omp_get_place_proc_ids(place, cpus.data());
        for (const int cpu : cpus) CPU_SET(cpu, &all);
    }
    changed_ = CPU_COUNT(&all) > 0 && sched_getaffinity(0, sizeof before_, &before_) == 0 &&
               sched_setaffinity(0, sizeof all, &all) == 0;
}

AllPlaces::~AllPlaces()
{
    if (changed_) sched_setaffinity(0, sizeof before_, &before_);
}

} // namespace qcd

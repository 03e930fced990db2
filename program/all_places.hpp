#pragma once

#include <sched.h>

namespace qcd
{

/// OpenMP's library binds the thread that loads it to the first of its places (OMP_PROC_BIND,
/// OMP_PLACES, GOMP_CPU_AFFINITY), where all that this thread starts would stay, StarPU with it.
/// While an AllPlaces lives, the calling thread may run on all of them.
class AllPlaces
{
public:
    AllPlaces();
    ~AllPlaces();
    AllPlaces(const AllPlaces&) = delete;
    AllPlaces& operator=(const AllPlaces&) = delete;

private:
    cpu_set_t before_;
    bool changed_ = false;
};

} // namespace qcd

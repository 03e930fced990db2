// Linked into every test program: its OpenMP loops, and those of the programs that it starts, take
// at most four cores, as its CPU workers do. On a host of dozens of cores threads that wait would
// take more than those that compute.

#include <algorithm>
#include <cstdlib>
#include <omp.h>
#include <string>

namespace
{

/// OMP_NUM_THREADS wins.
[[maybe_unused]] const bool few_threads = [] {
    if (std::getenv("OMP_NUM_THREADS")) return false;
    const int threads = std::min(4, omp_get_max_threads());
    omp_set_num_threads(threads);
    setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 1);
    return true;
}();

} // namespace

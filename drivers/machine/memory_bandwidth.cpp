#include "drivers/machine/memory_bandwidth.hpp"

#include "base/error.hpp"
#include "base/huge_pages.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <new>
#include <omp.h>

// The loops are compiled for several instruction sets; the loader picks one.
#if defined(__x86_64__) && defined(__has_attribute)
#if __has_attribute(target_clones)
#define QCD_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#endif
#ifndef QCD_CLONES
#define QCD_CLONES
#endif

namespace qcd
{

namespace
{

constexpr int passes = 5;
constexpr double factor = 3;

QCD_CLONES void triad(double* __restrict a, const double* __restrict b, const double* __restrict c,
                      long n)
{
    for (long i = 0; i < n; ++i) a[i] = b[i] + factor * c[i];
}

/// Adds the bits up as integers: a sum of doubles must not be reordered, so it would not be
/// vectorised.
QCD_CLONES unsigned long sum(const unsigned long* a, long n)
{
    unsigned long total = 0;
    for (long i = 0; i < n; ++i) total += a[i];
    return total;
}

/// The equal share of one thread.
struct Share {
    long begin, size;
};

Share share_of(long n, int thread, int threads)
{
    const long begin = n * thread / threads;
    return {begin, n * (thread + 1) / threads - begin};
}

/// Calls work(share) on every thread.
template <class Work>
void on_all(int threads, long n, const Work& work)
{
#pragma omp parallel num_threads(threads)
    work(share_of(n, omp_get_thread_num(), omp_get_num_threads()));
}

/// GB/s of the median pass; the first pass is not counted.
template <class Pass>
double median_rate(double bytes, const Pass& pass)
{
    using Clock = std::chrono::steady_clock;
    pass();
    std::array<double, passes> seconds;
    for (double& s : seconds) {
        const Clock::time_point start = Clock::now();
        pass();
        s = std::chrono::duration<double>(Clock::now() - start).count();
    }
    std::sort(seconds.begin(), seconds.end());
    return bytes / seconds[passes / 2] / 1e9;
}

struct Free {
    void operator()(void* p) const { std::free(p); }
};

/// Huge pages, as fields have.
template <class T>
std::unique_ptr<T[], Free> allocate(long n)
{
    std::unique_ptr<T[], Free> memory(static_cast<T*>(allocate_huge(std::size_t(n) * sizeof(T))));
    if (!memory) throw std::bad_alloc();
    return memory;
}

void measure_triad(MemoryBandwidth& result)
{
    const long n = result.array_bytes / long(sizeof(double));
    const auto a = allocate<double>(n), b = allocate<double>(n), c = allocate<double>(n);
    on_all(result.threads, n, [&](Share s) {
        std::fill_n(&a[s.begin], s.size, 0.0);
        std::fill_n(&b[s.begin], s.size, 1.0);
        std::fill_n(&c[s.begin], s.size, 2.0);
    });
    result.triad = median_rate(24.0 * double(n), [&] {
        on_all(result.threads, n,
               [&](Share s) { triad(&a[s.begin], &b[s.begin], &c[s.begin], s.size); });
    });
    if (a[0] != 7 || a[n - 1] != 7) throw Error("the bandwidth measurement computed nonsense");
}

void measure_read(MemoryBandwidth& result)
{
    const long n = result.array_bytes / long(sizeof(unsigned long));
    const auto a = allocate<unsigned long>(n);
    on_all(result.threads, n, [&](Share s) { std::fill_n(&a[s.begin], s.size, 1UL); });
    result.read = median_rate(8.0 * double(n), [&] {
        std::atomic<unsigned long> total = 0;
        on_all(result.threads, n, [&](Share s) { total += sum(&a[s.begin], s.size); });
        if (total != static_cast<unsigned long>(n))
            throw Error("the bandwidth measurement computed nonsense");
    });
}

/// The usual arrays are so large that no cache holds a useful part of them.
long wanted_bytes(const MachineFacts& machine)
{
    constexpr long smallest = 64L << 20;
    return asked_array_bytes().value_or(
        std::max(smallest, beyond_caches * last_level_bytes(machine)));
}

} // namespace

std::optional<long> asked_array_bytes()
{
    const char* text = std::getenv("QCD_BANDWIDTH_MIB");
    if (!text) return {};
    const auto mib = parse_number<int>(text);
    if (!mib || *mib <= 0)
        throw Error("QCD_BANDWIDTH_MIB: {} is not a number of MiB", quoted(text));
    return long(*mib) << 20;
}

MemoryBandwidth measure_bandwidth(const MachineFacts& machine, int threads)
{
    constexpr long page = 4096, arrays = 3;
    MemoryBandwidth result;
    result.load_average = load_average();
    result.threads = threads;
    long bytes = wanted_bytes(machine);
    if (machine.available_bytes > 0) bytes = std::min(bytes, machine.available_bytes / 4 / arrays);
    result.array_bytes = std::max(page, bytes / page * page);
    measure_triad(result);
    measure_read(result);
    return result;
}

} // namespace qcd

#include "runtime/l2_partitions.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <vector>

namespace qcd
{

namespace
{

constexpr int chunk = 4096;       // bytes that belong to one partition (H200)
constexpr int chunks = 64;        // of which latencies are measured
constexpr int counter_bytes = 64; // for each stream
constexpr int most_multiprocessors = 256;
constexpr double least_correlation = 0.7, least_ratio = 1.2; // 0.94 and 1.7 on an H200

/// cycles[multiprocessor][chunk] <- the least latency of an atomic operation, by one thread of
/// each.
__global__ void measure_latencies(const char* memory, int* cycles)
{
    if (threadIdx.x) return;
    unsigned multiprocessor;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    if (multiprocessor >= most_multiprocessors) return;
    constexpr int rounds = 8, chain = 8;
    for (int i = 0; i < chunks; ++i) {
        const int at = (i + 7 * blockIdx.x) % chunks; // not all in one place
        int least = 1 << 30;
        for (int round = 0; round < rounds; ++round) {
            const char* p = memory + at * chunk;
            long long start, end;
            asm volatile("mov.u64 %0, %%clock64;" : "=l"(start)::"memory");
            for (int k = 0; k < chain; ++k) { // each waits for the one before
                unsigned zero;
                asm volatile("atom.global.add.u32 %0, [%1], 0;" : "=r"(zero) : "l"(p) : "memory");
                p += zero;
            }
            asm volatile("mov.u64 %0, %%clock64;" : "=l"(end) : "l"(p) : "memory");
            least = min(least, int(end - start) / chain);
        }
        cycles[multiprocessor * chunks + at] = least;
    }
}

using Latencies = std::vector<double>; // of a multiprocessor, by chunk

/// Without what is the same for all, and of length 1.
std::vector<Latencies> normalised(const std::vector<int>& cycles, int multiprocessors)
{
    std::vector<Latencies> all(multiprocessors, Latencies(chunks));
    for (int c = 0; c < chunks; ++c) {
        double mean = 0;
        for (int m = 0; m < multiprocessors; ++m) mean += cycles[m * chunks + c];
        for (int m = 0; m < multiprocessors; ++m)
            all[m][c] = cycles[m * chunks + c] - mean / multiprocessors;
    }
    for (Latencies& l : all) {
        double mean = 0, square = 0;
        for (const double x : l) mean += x / chunks;
        for (double& x : l) x -= mean;
        for (const double x : l) square += x * x;
        for (double& x : l) x /= std::sqrt(std::max(square, 1e-300));
    }
    return all;
}

/// A stream's counters.
struct Counters {
    int slot = 0;
    unsigned long long kernels = 0; // so far
};

/// A device's partitions and the streams that have counters there.
struct Partitions {
    PartitionTickets found;
    std::map<cudaStream_t, Counters> streams;
};

/// The chunk that one partition's multiprocessors reach soonest, with its mean latency for them and
/// for the others.
struct Nearest {
    int chunk = 0;
    double here = HUGE_VAL, elsewhere = 0;
};

Nearest nearest(const std::vector<int>& cycles, const std::vector<bool>& is_second, bool second)
{
    Nearest best;
    for (int c = 0; c < chunks; ++c) {
        double sum[2] = {}, count[2] = {};
        for (std::size_t m = 0; m < is_second.size(); ++m) {
            const bool here = is_second[m] == second;
            sum[here] += cycles[m * chunks + c];
            count[here] += 1;
        }
        if (sum[1] / count[1] < best.here) best = {c, sum[1] / count[1], sum[0] / count[0]};
    }
    return best;
}

/// What the latencies say; none where they are not clearly of two kinds.
PartitionTickets partitions_of(const std::vector<int>& cycles, int multiprocessors, char* memory)
{
    const std::vector<Latencies> all = normalised(cycles, multiprocessors);
    PartitionTickets t;
    std::vector<bool> second(multiprocessors);
    for (int m = 0; m < multiprocessors; ++m) {
        double correlation = 0;
        for (int c = 0; c < chunks; ++c) correlation += all[0][c] * all[m][c];
        if (std::fabs(correlation) < least_correlation) return {};
        second[m] = correlation < 0;
        ++t.multiprocessors[second[m]];
        if (second[m]) t.of_second[m / 64] |= 1ull << m % 64;
    }
    if (std::min(t.multiprocessors[0], t.multiprocessors[1]) * 4 < multiprocessors) return {};
    for (const bool part : {false, true}) {
        const Nearest n = nearest(cycles, second, part);
        if (n.elsewhere < least_ratio * n.here) return {};
        t.counters[part] = reinterpret_cast<unsigned long long*>(memory + n.chunk * chunk);
    }
    return t;
}

/// Memory for counters, never freed: kernels use it until the process ends.
PartitionTickets measured()
{
    int device = 0, multiprocessors = 0, shared = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (multiprocessors < 2 || multiprocessors > most_multiprocessors) return {};
    char* memory = nullptr;
    int* out = nullptr;
    cudaStream_t stream = nullptr;
    std::vector<int> cycles(most_multiprocessors * chunks);
    const std::size_t bytes = cycles.size() * sizeof(int);
    PartitionTickets t;
    // A thread block that takes all shared memory has a multiprocessor to itself.
    if (cudaMalloc(&memory, chunks * chunk) == cudaSuccess &&
        cudaMalloc(&out, bytes) == cudaSuccess &&
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess &&
        cudaMemsetAsync(memory, 0, chunks * chunk, stream) == cudaSuccess &&
        cudaMemsetAsync(out, 0, bytes, stream) == cudaSuccess &&
        cudaFuncSetAttribute(measure_latencies, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             shared) == cudaSuccess) {
        measure_latencies<<<multiprocessors, 32, shared, stream>>>(memory, out);
        if (cudaMemcpyAsync(cycles.data(), out, bytes, cudaMemcpyDeviceToHost, stream) ==
                cudaSuccess &&
            cudaStreamSynchronize(stream) == cudaSuccess &&
            std::count(cycles.begin(), cycles.begin() + multiprocessors * chunks, 0) == 0)
            t = partitions_of(cycles, multiprocessors, memory);
    }
    cudaGetLastError(); // without partitions all works, too
    if (stream) cudaStreamDestroy(stream);
    cudaFree(out);
    if (!t.multiprocessors[1]) cudaFree(memory);
    return t;
}

std::mutex mutex;

/// Of the current device. Locked.
Partitions& partitions()
{
    static std::map<int, Partitions> devices;
    int device = 0;
    cudaGetDevice(&device);
    const auto [at, is_new] = devices.try_emplace(device);
    if (is_new) at->second.found = measured();
    return at->second;
}

} // namespace

PartitionTickets partition_tickets(cudaStream_t stream)
{
    const std::lock_guard lock(mutex);
    Partitions& p = partitions();
    if (!p.found.multiprocessors[1]) return {};
    const int streams = int(p.streams.size());
    const auto [at, is_new] = p.streams.try_emplace(stream);
    if (is_new) at->second.slot = streams;
    if (at->second.slot * counter_bytes >= chunk) return {};
    PartitionTickets t = p.found;
    for (unsigned long long*& c : t.counters)
        c += at->second.slot * counter_bytes / sizeof(unsigned long long);
    t.first = ++at->second.kernels << 32;
    return t;
}

bool has_l2_partitions()
{
    const std::lock_guard lock(mutex);
    return partitions().found.multiprocessors[1] > 0;
}

} // namespace qcd

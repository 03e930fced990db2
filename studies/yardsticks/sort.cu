// Pairs sorted by CUB, which comes with nvcc.

#include "runtime/cuda_call.hpp"
#include "studies/yardsticks/args.h"

#include <cub/device/device_radix_sort.cuh>
#include <cuda_runtime.h>

#include <cstdint>

namespace qcd::studies
{

/// Sorts into memory of its own, and copies back: that is in its time.
void sort_on_device(const void* args, void* const* buffers, const CudaCall& call)
{
    const int n = static_cast<const sort_args*>(args)->pairs;
    auto* keys = static_cast<std::uint32_t*>(buffers[sort_keys]);
    auto* values = static_cast<std::uint32_t*>(buffers[sort_values]);
    cub::DoubleBuffer<std::uint32_t> k(keys, nullptr), v(values, nullptr);
    std::size_t scratch = 0;
    const std::size_t bytes = n * sizeof(std::uint32_t);
    cub::DeviceRadixSort::SortPairs(nullptr, scratch, k, v, n, 0, 32, call.stream);
    char* memory = nullptr; // errors are found by cudaGetLastError()
    if (cudaMallocAsync(&memory, 2 * bytes + scratch, call.stream) != cudaSuccess) return;
    k.d_buffers[1] = reinterpret_cast<std::uint32_t*>(memory);
    v.d_buffers[1] = reinterpret_cast<std::uint32_t*>(memory + bytes);
    cub::DeviceRadixSort::SortPairs(memory + 2 * bytes, scratch, k, v, n, 0, 32, call.stream);
    for (const auto& [to, from] : {std::pair{keys, k.Current()}, {values, v.Current()}})
        if (to != from) cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, call.stream);
    cudaFreeAsync(memory, call.stream);
}

} // namespace qcd::studies

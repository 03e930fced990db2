#pragma once
// What a CUDA kernel is told besides its arguments and buffers.

struct CUstream_st; // cudaStream_t without CUDA's headers

namespace qcd
{

struct CudaCall {
    CUstream_st* stream;
    /// Whether to go through the tile from its end, where the kernel can (Manner).
    bool downwards = false;
    /// Slots of sums that it clears after reading, some of its family's `clears`.
    unsigned clear = 0;
    /// Those that it fills are clear already: no kernel of their own clears them.
    bool sums_are_clear = false;
};

} // namespace qcd

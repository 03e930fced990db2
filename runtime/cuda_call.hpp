#pragma once
// What a CUDA kernel is told besides its arguments and buffers.

struct CUstream_st; // cudaStream_t without CUDA's headers

namespace qcd
{

struct KernelFacts;

struct CudaCall {
    CUstream_st* stream;
    /// Whether to go through the tile from its end, where the kernel can (Manner).
    bool downwards = false;
    /// Slots that it sets to 0 after reading, some of its Slot::zeroed_by_reader.
    unsigned zero = 0;
    /// The sums that it adds to are 0 already, so that it launches no kernel to clear them.
    bool is_zero = false;
    int layers = 1; ///< Manner
    /// Operations that say their groups: tell these and launch nothing. Buffers are null then.
    KernelFacts* facts = nullptr;
};

} // namespace qcd

#pragma once
// Times CUDA kernels launched back to back on memory of their own, full of random numbers: without
// tasks, before the fields of a run exist.

#include "runtime/codelet.hpp"
#include "runtime/cuda_device.hpp"

#include <memory>
#include <vector>

namespace qcd
{

/// A call of an operation's CUDA kernel: bytes of each slot's buffer; 0: the slot is absent.
struct TimedCall {
    const Codelet* codelet;
    const void* args;
    std::vector<std::size_t> slot_bytes;
    std::size_t bytes() const; ///< of all buffers
};

/// CUDA's device of this number. Throws DeviceError.
CudaDevice describe_cuda_device(int device);

class LaunchTimer
{
public:
    /// `bytes` of this device's memory, of numbers in [-0.5, 0.5] of 4 or 8 bytes. Throws
    /// Error when they are more than nine tenths of what is free, DeviceError when the device
    /// fails.
    LaunchTimer(int device, std::size_t bytes, std::size_t real_bytes);
    ~LaunchTimer();
    LaunchTimer(const LaunchTimer&) = delete;
    LaunchTimer& operator=(const LaunchTimer&) = delete;

    /// Seconds a call, of so many in a row. What kernels write makes no difference to their time.
    /// Throws DeviceError when the device fails.
    double seconds_of(const TimedCall&, int calls);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace qcd

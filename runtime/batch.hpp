#pragma once
// Several operations as one task: its worker executes them in their order, on one stream. For runs
// in which a task of its own for each would cost more than its kernel.

#include "runtime/codelet.hpp"

#include <vector>

namespace qcd
{

/// What a recipe begins with.
struct alignas(16) BatchHeader {
    Events* events = nullptr; // null: nobody records
    double ready = 0;         // of Event, set where somebody records
};

/// Operations, each with its arguments and its buffers, as numbers of the task's buffers.
class BatchRecipe
{
public:
    /// What a slot holds: a buffer of the task, or memory that is no StarPU data, or nothing.
    struct Slot {
        int buffer = -1;
        void* memory = nullptr;
    };
    BatchRecipe();
    /// `args` is copied.
    void add(const Origin&, const void* args, const std::vector<Slot>& slots, const Manner&);
    /// What the batch codelet wants as its argument, a BatchHeader first.
    const std::vector<char>& bytes() const { return bytes_; }

private:
    std::vector<char> bytes_;
};

/// Executes a recipe: CPU kernels one after another; CUDA and OpenCL kernels enqueued in order. Its
/// performance model knows recipes of other operations, or of another number of iterations, apart.
starpu_codelet& batch_codelet();

} // namespace qcd

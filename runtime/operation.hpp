#pragma once
// What an operation is, as a table: what its slots hold and how they are used, how much work a call
// is. Submission, batches, teams of cores, events, benchmarks and `info` read it here.

#include "runtime/work.hpp"

#include <bit>
#include <cstddef>
#include <vector>

namespace qcd
{

/// How a task uses what is in a slot. writes: it needs nothing of what was there.
enum class Mode { reads, writes, updates };
const char* to_string(Mode); ///< "R", "W", "RW"

/// One slot, or `count` alike that follow each other.
struct Slot {
    const char* name = nullptr;
    const char* holds = nullptr; ///< in the words of the field: "spinor", "links", ...
    Mode mode = Mode::reads;
    bool optional = false;
    int count = 1;
    /// The share of the data that is looked at, and counted as moved; 0: small parts.
    double share = 1;
    /// An updated slot's contents are read where this slot is filled; where they are not, they only
    /// have to stay if the operation does nothing (Operation::idle).
    int read_with = always;
    /// Kernels add to so many bytes at its beginning, in each layer: where several shares of a team
    /// or a device execute a call they are made 0 before.
    std::size_t added_to = 0;
    /// Device kernels set what was added here to 0 when they have read it, if told so.
    bool zeroed_by_reader = false;
    /// Calls that are alike otherwise have other data here, in turn.
    bool turns = false;
    bool gates = false; ///< what it holds may say that the operation does nothing (Operation::idle)

    static constexpr int always = -1, never = -2;
    /// How often the data are moved in a call: once for a reading and once for a writing of all.
    constexpr double moves(unsigned present) const
    {
        const bool read = read_with == always || (read_with >= 0 && (present >> read_with & 1));
        return share * (mode == Mode::updates && read ? 2 : 1);
    }
};

/// Most slots that an operation has; fewer than TaskHeader has bits.
inline constexpr int max_slots = 30;

/// Work groups (CUDA's thread blocks) of a call on a device, and the local (shared) memory of each.
struct WorkGroups {
    int count, items;
    std::size_t local_bytes = 0;
};

struct Operation {
    const char* name;
    std::size_t args_size;   ///< bytes of NAME_args, which the functions below read
    std::vector<Slot> slots; ///< in the order in which kernels are given them
    /// Blocks of 32 work items, of a layer (Manner): OpenCL's groups cover them, cores share them.
    int (*blocks)(const void* args);
    /// Flop of a call, in a layer; bit s of `present`: slot s is filled. Null: none worth counting.
    double (*flops)(const void* args, unsigned present) = nullptr;
    /// The share of a slot's data that a call goes through. Null: all.
    double (*share)(const void* args, int slot) = nullptr;
    /// Another operation, which takes the time of this one for as many bytes: of it times are known
    /// where this one was never measured. Null: there is none.
    const char* like = nullptr;
    /// Does a call with this memory do nothing, in any layer? Asked on cores, by events. Null: it
    /// does something.
    bool (*idle)(void* const* slots, int layers) = nullptr;
    /// The name of the OpenCL kernel for a call, without _kernel; null: there is only NAME.
    const char* (*opencl_kernel)(int variant, const void* args, void* const* slots) = nullptr;
    /// On OpenCL devices that add over a warp's lanes: work groups of a compute unit that stay, and
    /// go from block to block, at most so often; 0: a group for every four blocks.
    int staying_groups = 0, most_turns = 1;
    /// The work groups of a call in a variant, where groups share local memory or are not of 128
    /// items: an OpenCL kernel is given its local memory, if any, as the last argument. Null: as
    /// blocks say.
    WorkGroups (*groups)(int variant, const void* args) = nullptr;
    /// It goes through all of a part, from either end (Manner::downwards).
    bool sweeps = true;
    /// Layers read the same besides their own: OpenCL's groups of all of them follow each other.
    /// They are numbered together then, and the launch's offset in direction 1 is how many there
    /// are; 0: one.
    bool layers_are_close = false;
    /// Others wait for it: halos, scalars.
    bool urgent = false;

    /// All slots, each on its own (count 1).
    std::vector<Slot> each_slot() const;
};

/// Operation::blocks of one that is not shared.
inline int one_block(const void*) { return 1; }
/// The number of blocks, where it is the first argument, an int.
inline int blocks_in(const void* args) { return *static_cast<const int*>(args); }
/// Operation::flops of so many a site, of which such a block has 32; padding counts.
template <int flops>
double flops_a_site(const void* args, unsigned)
{
    return 32.0 * flops * blocks_in(args);
}
/// Flop a block, and `more` for each slot from `first` to `last` that is filled.
template <int flops, int first, int more, int last = first>
double flops_with(const void* args, unsigned present)
{
    const int filled = std::popcount(present >> first & ((2u << (last - first)) - 1));
    return 32.0 * (flops + more * filled) * blocks_in(args);
}

} // namespace qcd

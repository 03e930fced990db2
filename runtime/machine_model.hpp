#pragma once
// What is known of the machines that this program was measured on, as constants: the only place
// that asks which processor this is. Choices follow from it and from what is asked for, never from
// a timing of the run.

#include <cstddef>

namespace qcd
{

/// How a core is to ask for what a loop over several streams will read.
enum class Prefetch {
    next,  ///< the next piece of each stream, into L2
    early, ///< several pieces ahead
    close  ///< the next piece, into L1
};

/// What is known of the processor this runs on.
struct MachineModel {
    /// The most of its last-level cache that a core can count on, because others share a large one:
    /// a virtual machine of two cores is shown that of all, or the sum of all.
    std::size_t cache_a_core;
    /// Beyond this share of the cache an operation's results are gone before they are read again.
    double share_of_cache;
    /// Where data come from the outer cache, and from memory.
    Prefetch prefetch_far, prefetch_memory;

    static const MachineModel& of_this_machine();
};

} // namespace qcd

#pragma once
// Work groups of the ladder's kernels, for CUDA and OpenCL (Operation::groups), and what cores
// share in their place. No StarPU.

#include "codelets/ladder/links.h"
#include "codelets/ladder/shape.h"
#include "codelets/ladder/switches.h"
#include "codelets/ladder/vector.h"
#include "runtime/operation.hpp"

namespace qcd
{

/// A thread for each of so many items; local memory where groups reduce what their threads have.
inline WorkGroups ladder_item_groups(int items, std::size_t local_bytes = 0)
{
    return {(items + QCD_LADDER_GROUP - 1) / QCD_LADDER_GROUP, QCD_LADDER_GROUP, local_bytes};
}

/// The groups of an operation that goes site by site: its args have shape, switches and multiple.
template <class Args>
WorkGroups ladder_site_groups(const Args& a, std::size_t local_bytes_a_site)
{
    if (!(a.switches & QCD_LADDER_FINE)) return ladder_item_groups(a.shape.sites);
    return {(a.shape.sites + a.multiple - 1) / a.multiple, QCD_LADDER_ELEMENTS * a.multiple,
            local_bytes_a_site * a.multiple};
}
/// Work groups of an operation that needs no local memory.
template <class Args>
WorkGroups ladder_groups_of_sites(int, const void* args)
{
    return ladder_site_groups(*static_cast<const Args*>(args), 0);
}
/// Blocks of 32 sites, which cores share evenly.
template <class Args>
int ladder_site_blocks(const void* args)
{
    return (static_cast<const Args*>(args)->shape.sites + 31) / 32;
}

/// Local memory of a site in ladder_stencil/fine.h.
inline std::size_t ladder_stencil_local_bytes(int switches, std::size_t real_bytes)
{
    const int spinors = switches & QCD_LADDER_OVERLAPPED ? 2 : 1,
              links = switches & QCD_LADDER_LOCAL_LINKS ? QCD_LADDER_LINK_ELEMENTS : 0;
    return (QCD_LADDER_ELEMENTS * spinors + links) * 2 * real_bytes + 8 * sizeof(int);
}

/// The groups of an operation on vectors: its args have `vector`.
template <class Args>
WorkGroups ladder_vector_groups(int, const void* args)
{
    return ladder_item_groups(ladder_items(static_cast<const Args*>(args)->vector));
}
/// The groups of an operation on vectors of which each makes one sum.
template <class Args>
WorkGroups ladder_sum_groups(int, const void* args)
{
    return ladder_item_groups(ladder_items(static_cast<const Args*>(args)->vector),
                              QCD_LADDER_GROUP * sizeof(ladder_sum));
}
template <class Args>
int ladder_vector_blocks(const void* args)
{
    return ladder_vector_groups<Args>(0, args).count;
}
/// The one group, of one thread, of an operation on a few numbers.
inline WorkGroups ladder_one_group(int, const void*) { return {1, 1}; }

/// Operation::flops of so many a site, or a complex number of vectors, and of more where a slot is
/// filled.
template <class Args, int flops, int slot = 0, int more = 0>
double ladder_flops(const void* args, unsigned present)
{
    const auto& a = *static_cast<const Args*>(args);
    const double each = flops + (present >> slot & 1) * more;
    if constexpr (requires { a.vector; })
        return each * a.vector.elements;
    else
        return each * a.shape.sites;
}

} // namespace qcd

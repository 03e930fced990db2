#pragma once
// Work groups of the study's kernels, for CUDA and OpenCL (Operation::groups), and what cores share
// in their place. No StarPU.

#include "codelets/study/links.h"
#include "codelets/study/shape.h"
#include "codelets/study/switches.h"
#include "codelets/study/vector.h"
#include "runtime/operation.hpp"

namespace qcd
{

/// A thread for each of so many items; local memory where groups reduce what their threads have.
inline WorkGroups study_item_groups(int items, std::size_t local_bytes = 0)
{
    return {(items + QCD_STUDY_GROUP - 1) / QCD_STUDY_GROUP, QCD_STUDY_GROUP, local_bytes};
}

/// Of operations that go site by site, whose args have shape, switches and multiple.
template <class Args>
WorkGroups study_site_groups(const Args& a, std::size_t local_bytes_a_site)
{
    if (!(a.switches & QCD_STUDY_FINE)) return study_item_groups(a.shape.sites);
    return {(a.shape.sites + a.multiple - 1) / a.multiple, QCD_STUDY_ELEMENTS * a.multiple,
            local_bytes_a_site * a.multiple};
}
/// For cores: an even part of the sites for each.
template <class Args>
int study_site_blocks(const void* args)
{
    return (static_cast<const Args*>(args)->shape.sites + 31) / 32;
}

/// Local memory of a site in study_stencil/fine.h.
inline std::size_t study_stencil_local_bytes(int switches, std::size_t real_bytes)
{
    const int spinors = switches & QCD_STUDY_OVERLAPPED ? 2 : 1,
              links = switches & QCD_STUDY_LOCAL_LINKS ? QCD_STUDY_LINK_ELEMENTS : 0;
    return (QCD_STUDY_ELEMENTS * spinors + links) * 2 * real_bytes + 8 * sizeof(int);
}

/// Of operations on vectors, whose args have `vector`.
template <class Args>
WorkGroups study_vector_groups(int, const void* args)
{
    return study_item_groups(study_items(static_cast<const Args*>(args)->vector));
}
/// The same where each group makes one sum.
template <class Args>
WorkGroups study_sum_groups(int, const void* args)
{
    return study_item_groups(study_items(static_cast<const Args*>(args)->vector),
                             QCD_STUDY_GROUP * sizeof(study_sum));
}
template <class Args>
int study_vector_blocks(const void* args)
{
    return study_vector_groups<Args>(0, args).count;
}
/// Of operations on a few numbers, by one thread.
inline WorkGroups study_one_group(int, const void*) { return {1, 1}; }
inline int study_one_block(const void*) { return 1; }

/// Operation::flops of so many a complex number.
template <class Args, int flops>
double study_vector_flops(const void* args, unsigned)
{
    return double(flops) * static_cast<const Args*>(args)->vector.elements;
}

} // namespace qcd

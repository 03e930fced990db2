#include "codelets/gauge/update.h"

QCD_KERNEL link_heatbath_kernel(link_update_args a QCD_SLOT_PARAMETERS(link_update))
{
    const lane_position at = own_position();
    if (at.block >= a.blocks || !lanes_with_sites(a.shape, at.w)) return;
    const link_update_buffers f = {QCD_SLOT_VALUES(link_update)};
    const site_counts c =
        link_heatbath_site(a, f, at.block, place_of_block(a.shape, at.block), at.w);
    if (!counts) return;
    __global ulong* const to = (__global ulong*)counts;
    atom_add(to, (ulong)c.drawn);
    atom_add(to + 1, (ulong)c.trials);
    if (c.exhausted) atom_add(to + 2, (ulong)c.exhausted);
}

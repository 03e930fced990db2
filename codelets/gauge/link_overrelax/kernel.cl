#include "codelets/gauge/update.h"

QCD_KERNEL link_overrelax_kernel(link_update_args a QCD_SLOT_PARAMETERS(link_update))
{
    const lane_position at = own_position();
    if (at.block >= a.blocks || !lanes_with_sites(a.shape, at.w)) return;
    const link_update_buffers f = {QCD_SLOT_VALUES(link_update)};
    link_overrelax_site(a, f, at.block, place_of_block(a.shape, at.block), at.w);
}

#include "codelets/gauge/link_plaquettes/site.h"

QCD_SLOT_KERNEL(link_plaquettes)
{
    __local group_sums group;
    const lane_position at = own_position();
    const link_plaquettes_buffers f = {QCD_SLOT_VALUES(link_plaquettes)};
    site_sums s = no_sums();
    if (at.block < a.blocks && lanes_with_sites(a.shape, at.w))
        s = link_plaquettes_site(a, f, at.block, place_of_block(a.shape, at.block), at.w);
    add_site_sums(sums, s, link_plaquettes_which, &group);
}

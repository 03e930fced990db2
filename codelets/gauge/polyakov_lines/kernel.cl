#include "codelets/gauge/polyakov_lines/site.h"

QCD_SLOT_KERNEL(polyakov_lines)
{
    __local group_sums group;
    const lane_position at = own_position();
    const polyakov_lines_buffers f = {QCD_SLOT_VALUES(polyakov_lines)};
    site_sums s = no_sums();
    if (at.block * QCD_LANES + at.w.lane < lines_of(a))
        s = polyakov_lines_site(a, f, at.block, at.w.lane);
    add_site_sums(sums, s, polyakov_lines_which, &group);
}

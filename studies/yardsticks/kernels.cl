#include "studies/yardsticks/site.h"

__kernel void stream_kernel(stream_args a, QCD_GLOBAL real* to, QCD_GLOBAL const real* b,
                            QCD_GLOBAL const real* c)
{
    const stream_buffers f = {to, b, c};
    const int item = (int)get_global_id(0), y = item / a.columns;
    if (y < a.rows) stream_cell(a, f, item % a.columns, y);
}

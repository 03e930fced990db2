#include "studies/yardsticks/site.h"

__kernel void stream_kernel(stream_args a, QCD_GLOBAL real* to, QCD_GLOBAL const real* x,
                            QCD_GLOBAL const real* y)
{
    const stream_buffers f = {to, x, y};
    const int item = (int)get_global_id(0), row = item / a.columns;
    if (row < a.rows) stream_cell(a, f, item % a.columns, row);
}

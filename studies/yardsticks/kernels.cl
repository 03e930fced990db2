#include "studies/yardsticks/site.h"

__kernel void stream_kernel(stream_args a, QCD_OUT to, QCD_IN x, QCD_IN y)
{
    const stream_buffers f = {to, x, y};
    QCD_STUDY_CELL(stream, a, f);
}

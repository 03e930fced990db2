#pragma once

#include "studies/frame/dialect.h"
#include "studies/yardsticks/args.h"

QCD_BEGIN

/// The four loops of STREAM (McCalpin 1995), and what fills an array.
QCD_FN void stream_cell(stream_args a, stream_buffers f, int column, int row)
{
    const int at = row * a.columns + column;
    if (a.kind == stream_fill)
        f.to[at] = a.s;
    else if (a.kind == stream_copy)
        f.to[at] = f.x[at];
    else if (a.kind == stream_scale)
        f.to[at] = a.s * f.x[at];
    else if (a.kind == stream_add)
        f.to[at] = f.x[at] + f.y[at];
    else
        f.to[at] = QCD_STUDY_FMA(a.s, f.y[at], f.x[at]);
}

QCD_END

#pragma once

#include "studies/frame/dialect.h"
#include "studies/yardsticks/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL real* a;
    QCD_GLOBAL const real* b;
    QCD_GLOBAL const real* c;
} stream_buffers;

QCD_FN int stream_columns(stream_args a) { return a.columns; }
QCD_FN int stream_rows(stream_args a) { return a.rows; }

/// The four loops of STREAM (McCalpin 1995).
QCD_FN void stream_cell(stream_args a, stream_buffers f, int x, int y)
{
    const int at = y * a.columns + x;
    if (a.kind == stream_copy)
        f.a[at] = f.b[at];
    else if (a.kind == stream_scale)
        f.a[at] = a.s * f.b[at];
    else if (a.kind == stream_add)
        f.a[at] = f.b[at] + f.c[at];
    else
        f.a[at] = QCD_STUDY_FMA(a.s, f.c[at], f.b[at]);
}

QCD_END

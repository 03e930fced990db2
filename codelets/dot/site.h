#pragma once
// The lanes of one block (contract: dot.hpp).

#include "codelets/device/chiral.h"
#include "codelets/device/site_sums.h"
#include "codelets/dot/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL const real* x;
    QCD_GLOBAL const real* y;
} dot_buffers;

typedef struct {
    spinor x, y;
} dot_operands;

QCD_FN dot_operands load_dot(dot_buffers f, int block, lanes w)
{
    const int at = spinor_place(block, w);
    // Both at once: a GPU would wait for x before it asked for y.
    dot_operands o;
    o.x = load_spinor(f.x + at);
    o.y = load_spinor((f.y != 0 ? f.y : f.x) + at);
    return o;
}

QCD_FN site_sums dot_terms(dot_buffers f, dot_operands o)
{
    site_sums s = no_sums();
    s.v[3] = spinor_norm2(o.x);
    if (f.y == 0) return s;
    s.v[0] = spinor_dot_re(o.x, o.y);
    s.v[1] = spinor_dot_im(o.x, o.y);
    s.v[2] = spinor_norm2(o.y);
    return s;
}

QCD_FN site_sums dot_site(dot_args a, dot_buffers f, int block, lanes w)
{
    return dot_terms(f, load_dot(f, block, w));
}

QCD_END

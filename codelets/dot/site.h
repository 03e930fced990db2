#pragma once
// The lanes of one block (contract: dot.hpp).

#include "codelets/device/chiral.h"
#include "codelets/device/site_sums.h"
#include "codelets/dot/slots.h"

QCD_BEGIN

/// The buffers from a block on.
QCD_FN dot_buffers dot_buffers_from(dot_buffers f, int block)
{
    const int first = block * (QCD_STORED_SPINOR_ROWS * QCD_LANES);
    f.x += first;
    if (f.y != 0) f.y += first;
    return f;
}

QCD_FN site_sums dot_site(dot_args a, dot_buffers f, int block, lanes w)
{
    const int at = spinor_place(block, w);
    // Both at once: a GPU would wait for x before it asked for y. A core that asks for the rows of
    // x and y first is slower here, unlike in updates (docs/lab/ideas-cores.md).
    const spinor x = load_spinor(f.x + at), y = load_spinor((f.y != 0 ? f.y : f.x) + at);
    site_sums s = no_sums();
    s.v[3] = spinor_norm2(x);
    if (f.y == 0) return s;
    s.v[0] = spinor_dot_re(x, y);
    s.v[1] = spinor_dot_im(x, y);
    s.v[2] = spinor_norm2(y);
    return s;
}

QCD_END

#pragma once
// The lanes of one block (contract: fma_chains.hpp).

#include "codelets/device/spinor.h"
#include "codelets/fma_chains/slots.h"

QCD_BEGIN

/// Twelve chains at a time, of half a spinor: more than two units need that take four to five
/// cycles each, and with a and b no more than the 16 registers of AVX2.
QCD_FN void fma_chains_site(fma_chains_args args, fma_chains_buffers f, int block, lanes w)
{
    const vreal a = vset(args.a);
    const cplx addend = cmake(vset(args.b), vset(args.b));
    const colour b = colour_make(addend, addend, addend);
    for (int part = 0; part < 2; ++part) {
        QCD_GLOBAL real* const rows = f.x + spinor_place(block, w) + part * (12 * QCD_ROW);
        colour c0 = load_colour(rows), c1 = load_colour(rows + 6 * QCD_ROW);
        for (int step = 0; step < args.steps; ++step) {
            c0 = colour_fma_real(a, c0, b);
            c1 = colour_fma_real(a, c1, b);
        }
        store_colour(rows, c0);
        store_colour(rows + 6 * QCD_ROW, c1);
    }
}

QCD_END

QCD_SITE_KERNELS(fma_chains)

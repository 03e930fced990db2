#pragma once
// What a block's lanes do, all of them together (contract: orthonormalise.hpp).

#include "codelets/multigrid/level.h"
#include "codelets/multigrid/orthonormalise/slots.h"

QCD_BEGIN

/// Vector k in an aggregate.
typedef struct {
    QCD_GLOBAL real* first; // lane 0
    int blocks;
} aggregate_vector;

QCD_FN aggregate_vector vector_of(orthonormalise_args a, QCD_GLOBAL real* basis, int aggregate,
                                  int k)
{
    aggregate_vector v;
    v.blocks = a.level.blocks_each;
    v.first = basis + (k * a.level.blocks + aggregate * v.blocks) * QCD_LEVEL_BLOCK;
    return v;
}

/// What the caller's lanes have of (a|b) in each chirality.
QCD_FN chiral_sums chiral_products(aggregate_vector a, aggregate_vector b, lanes w)
{
    chiral_sums s = no_chiral_sums();
    for (int block = 0; block < a.blocks; ++block) {
        const int at = spinor_place(block, w);
        s = add_chiral_products(load_spinor(a.first + at), load_spinor(b.first + at), s);
    }
    return s;
}

/// b = b + (up, down) a
QCD_FN void add_chiral_multiple(scalar up, scalar down, aggregate_vector a, aggregate_vector b,
                                lanes w)
{
    const cplx u = csplat(up), d = csplat(down);
    for (int block = 0; block < a.blocks; ++block) {
        const int at = spinor_place(block, w);
        const spinor x = load_spinor(a.first + at), y = load_spinor(b.first + at);
        store_spinor(b.first + at,
                     spinor_make(colour_fma(u, x.s0, y.s0), colour_fma(u, x.s1, y.s1),
                                 colour_fma(d, x.s2, y.s2), colour_fma(d, x.s3, y.s3)));
    }
}

/// a = (up, down) a
QCD_FN void scale_chiral(double up, double down, aggregate_vector a, lanes w)
{
    const vreal u = vset(up), d = vset(down);
    const colour zero = colour_zero();
    for (int block = 0; block < a.blocks; ++block) {
        const int at = spinor_place(block, w);
        const spinor x = load_spinor(a.first + at);
        store_spinor(a.first + at,
                     spinor_make(colour_fma_real(u, x.s0, zero), colour_fma_real(u, x.s1, zero),
                                 colour_fma_real(d, x.s2, zero), colour_fma_real(d, x.s3, zero)));
    }
}

QCD_FN double inverse_norm(double norm2)
{
#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)
    return norm2 > 0 ? 1 / sqrt(norm2) : 0;
#else
    return norm2 > 0 ? 1 / __builtin_sqrt(norm2) : 0;
#endif
}

QCD_END

// All of it, of an aggregate. PRODUCTS(s, a, b): the scalars s.up and s.down are (a|b), over all lanes;
// LANES(statement): the statement for all lanes w.
#define QCD_ORTHONORMALISE(a, basis, aggregate, PRODUCTS, LANES)                                   \
    for (int k = 0; k < a.vectors; ++k) {                                                          \
        const aggregate_vector v = vector_of(a, basis, aggregate, k);                              \
        for (int turn = 0; turn < 2; ++turn)                                                       \
            for (int j = 0; j < k; ++j) {                                                          \
                const aggregate_vector earlier = vector_of(a, basis, aggregate, j);                \
                scalar up, down;                                                                   \
                PRODUCTS(up, down, earlier, v);                                                    \
                LANES(add_chiral_multiple(scalar_make(-up.re, -up.im),                             \
                                          scalar_make(-down.re, -down.im), earlier, v, w));        \
            }                                                                                      \
        scalar up, down;                                                                           \
        PRODUCTS(up, down, v, v);                                                                  \
        LANES(scale_chiral(inverse_norm(up.re), inverse_norm(down.re), v, w));                     \
    }

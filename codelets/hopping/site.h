#pragma once
// out = a o v + b o (H psi), with or without a clover term, for the lanes of one block (contract:
// hopping.hpp).

#include "codelets/device/chiral.h"
#include "codelets/device/clover.h"
#include "codelets/device/faces.h"
#include "codelets/device/link.h"
#include "codelets/device/site_sums.h"
#include "codelets/hopping/slots.h"

QCD_BEGIN

/// Buffers of right-hand side `rhs`, where f has those of the first one.
QCD_FN hopping_buffers hopping_buffers_of_rhs(tile_shape g, hopping_buffers f, int rhs)
{
    const int spinors = rhs * (g.blocks * (QCD_STORED_SPINOR_ROWS * QCD_LANES));
    if (f.out != 0) f.out += spinors;
    f.psi += spinors;
    if (f.v != 0) f.v += spinors;
    if (f.u != 0) f.u += spinors;
    for (int face = 0; face < 8; ++face)
        if (g.cut[face / 2])
            f.faces[face] += rhs * (face_blocks(g, face / 2) * (QCD_HALF_ROWS * QCD_LANES));
    return f;
}

QCD_FN cplx rotate_cplx(cplx z, int mu, int sign, lanes w)
{
    return cmake(rotate(z.re, mu, sign, w), rotate(z.im, mu, sign, w));
}
QCD_FN colour rotate_colour(colour v, int mu, int sign, lanes w)
{
    return colour_make(rotate_cplx(v.c0, mu, sign, w), rotate_cplx(v.c1, mu, sign, w),
                       rotate_cplx(v.c2, mu, sign, w));
}
QCD_FN half_spinor rotate_half(half_spinor h, int mu, int sign, lanes w)
{
    return half_make(rotate_colour(h.h0, mu, sign, w), rotate_colour(h.h1, mu, sign, w));
}

QCD_FN QCD_GLOBAL const math* face_rows(hopping_args a, hopping_buffers f, block_place p, int mu,
                                        int sign, lanes w)
{
    QCD_GLOBAL const math* face = f.faces[2 * mu + (sign < 0)];
    return crossed_face_rows(face + face_block(a.shape, p, mu) * (QCD_HALF_ROWS * QCD_LANES),
                             a.shape, mu, sign, w);
}

/// h, but from the face in the lanes whose step leaves the tile.
QCD_FN half_spinor mix_half(hopping_args a, hopping_buffers f, block_place p, int mu, int sign,
                            lanes w, half_spinor h)
{
    QCD_GLOBAL const math* face = face_rows(a, f, p, mu, sign, w);
#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)
    return lane_at_edge(a.shape, w.lane, mu, sign) ? load_half(face) : h;
#else
    store_half(w.half_scratch, h);
    mix_face(w.half_scratch, face, pick_of(w, mu, sign));
    return load_half(w.half_scratch);
#endif
}

/// Asks for what will be read a piece later, or two, of these blocks' rows
/// (docs/lab/ideas-cores.md, "Prefetch and stores").
QCD_FN void prefetch_for(hopping_args a, QCD_GLOBAL const real* block_rows, int count, lanes w)
{
    if (a.prefetch == QCD_PREFETCH_CLOSE) {
        request_share(block_rows, count, 1, w);
        request_rest(block_rows, count, w);
    } else if (a.prefetch != QCD_PREFETCH_REST) {
        prefetch_share(block_rows, count, a.prefetch == QCD_PREFETCH_EARLY ? 2 : 1, w);
    }
}
QCD_FN void prefetch_links(hopping_args a, QCD_GLOBAL const real* block_rows, lanes w)
{
    if (a.prefetch == QCD_PREFETCH_REST)
        request_rest(block_rows, QCD_STORED_LINK_ROWS, w);
    else
        prefetch_for(a, block_rows, QCD_STORED_LINK_ROWS, w);
}

/// The spinors of x+mu or x-mu, in the lanes of x.
QCD_FN spinor load_neighbour(hopping_args a, hopping_buffers f, block_step n, int mu, int sign,
                             lanes w)
{
    const int at = n.block * (QCD_STORED_SPINOR_ROWS * QCD_LANES);
    // A core's own prefetchers follow the spinors of a time slice (x and y), not those of others.
    // The ones backward among these have been read a while ago.
    if (mu >= 2 && (sign > 0 || a.prefetch != QCD_PREFETCH_CLOSE))
        prefetch_for(a, f.psi + at, QCD_STORED_SPINOR_ROWS, w);
    QCD_GLOBAL const real* rows =
        stepped_rows(f.psi, at, n.crosses, QCD_STORED_SPINOR_ROWS, a.shape, mu, sign, w);
    if (a.prefetch == QCD_PREFETCH_EARLY) request_rows(rows, QCD_STORED_SPINOR_ROWS);
    return load_spinor(rows);
}

/// U_mu(x) (1-gamma_mu) psi(x+mu), upper two spin rows.
QCD_TERM half_spinor forward_term(hopping_args a, hopping_buffers f, block_place p, int block,
                                  block_step n, int mu, lanes w)
{
    const int outside = n.crosses && a.shape.cut[mu];
    half_spinor h;
    if (outside && all_at_edge(a.shape, mu, +1, w)) {
        h = load_half(face_rows(a, f, p, mu, +1, w));
    } else {
        h = project(mu, +1, load_neighbour(a, f, n, mu, +1, w));
        if (n.crosses && must_rotate(mu, +1, w)) h = rotate_half(h, mu, +1, w);
        if (outside && any_at_edge(a.shape, mu, +1, w)) h = mix_half(a, f, p, mu, +1, w, h);
    }
    const int link = (mu * a.shape.blocks + block) * (QCD_STORED_LINK_ROWS * QCD_LANES);
    prefetch_links(a, f.links + link, w);
    if (QCD_LINK_ROWS != 18 && mu == 3 && a.negate_t && n.crosses)
        h = negate_at_edge(h, a.shape, +1, w);
    return link_mul_half(f.links + link + own_lanes(QCD_STORED_LINK_ROWS, w), 0, h);
}

/// U_mu(x-mu)^dagger (1+gamma_mu) psi(x-mu), upper two spin rows. A face brings the whole term.
QCD_TERM half_spinor backward_term(hopping_args a, hopping_buffers f, block_place p, block_step n,
                                   int mu, lanes w)
{
    const int outside = n.crosses && a.shape.cut[mu];
    if (outside && all_at_edge(a.shape, mu, -1, w)) return load_half(face_rows(a, f, p, mu, -1, w));
    const int link = (mu * a.shape.blocks + n.block) * (QCD_STORED_LINK_ROWS * QCD_LANES);
    prefetch_links(a, f.links_other + link, w);
    half_spinor h = project(mu, -1, load_neighbour(a, f, n, mu, -1, w));
    h = link_dagger_mul_half(
        stepped_rows(f.links_other, link, n.crosses, QCD_STORED_LINK_ROWS, a.shape, mu, -1, w), 0,
        h);
    if (n.crosses && must_rotate(mu, -1, w)) h = rotate_half(h, mu, -1, w);
    if (QCD_LINK_ROWS != 18 && mu == 3 && a.negate_t && n.crosses && !outside)
        h = negate_at_edge(h, a.shape, -1, w);
    if (outside && any_at_edge(a.shape, mu, -1, w)) h = mix_half(a, f, p, mu, -1, w, h);
    return h;
}

#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)
/// The steps of one lane. Lanes with the other row offset are handled in a branch that whole warps
/// take alike, so that the usual kernel needs no registers for it.
QCD_FN block_steps lane_steps(hopping_args a, block_place p, int lane)
{
    block_steps n = neighbour_blocks(a.shape, p, a.parity);
    if (a.shape.other_rows) {
        const int parity = a.parity ^ has_other_rows(a.shape, lane);
        n.forward[0] = neighbour_block(a.shape, p, parity, 0, +1);
        n.backward[0] = neighbour_block(a.shape, p, parity, 0, -1);
    }
    return n;
}
#else
/// half_scratch <- the forward (sign > 0) or backward term in x of lanes that have rows of either
/// offset. x is not cut here.
static __attribute__((noinline)) void mix_x_term(const hopping_args& a, const hopping_buffers& f,
                                                 const block_place& p, int block, int sign,
                                                 const lanes& w)
{
    alignas(64) math terms[2][QCD_HALF_ROWS * QCD_ROW];
    for (int other = 0; other < 2; ++other) {
        const block_step n = neighbour_block(a.shape, p, a.parity ^ other, 0, sign);
        store_half(terms[other], sign > 0 ? forward_term(a, f, p, block, n, 0, w)
                                          : backward_term(a, f, p, n, 0, w));
    }
    for (int r = 0; r < QCD_HALF_ROWS * QCD_ROW; r += QCD_ROW)
        vstore_face(w.half_scratch + r,
                    vselect(*w.other_rows, vload_face(terms[1] + r), vload_face(terms[0] + r)));
}
#endif

/// The forward (sign > 0) or backward term in x. n: the step of the lanes; where rows are mixed, of
/// those that do not have other rows.
QCD_FN half_spinor x_term(hopping_args a, hopping_buffers f, block_place p, int block, block_step n,
                          int sign, int mixed, lanes w)
{
#if !defined(__OPENCL_VERSION__) && !defined(__CUDACC__)
    if (mixed) {
        mix_x_term(a, f, p, block, sign, w);
        return load_half(w.half_scratch);
    }
#endif
    return sign > 0 ? forward_term(a, f, p, block, n, 0, w) : backward_term(a, f, p, n, 0, w);
}

/// A step in y, z or t.
QCD_FN block_step step_of(hopping_args a, block_place p, block_steps n, int mu, int sign)
{
#if defined(__CUDACC__) && QCD_LINK_ROWS == 12 // found again: registers (2%; else slower)
    return neighbour_block(a.shape, p, a.parity, mu, sign);
#else
    return sign > 0 ? n.forward[mu] : n.backward[mu];
#endif
}

QCD_FN spinor hopping_sum(hopping_args a, hopping_buffers f, block_place p, int block,
                          block_steps n, int mixed, lanes w)
{
    spinor s = spinor_zero();
    s = add_reconstructed(0, +1, s, x_term(a, f, p, block, n.forward[0], +1, mixed, w));
    s = add_reconstructed(0, -1, s, x_term(a, f, p, block, n.backward[0], -1, mixed, w));
    s = add_reconstructed(1, +1, s, forward_term(a, f, p, block, step_of(a, p, n, 1, +1), 1, w));
    s = add_reconstructed(1, -1, s, backward_term(a, f, p, step_of(a, p, n, 1, -1), 1, w));
    s = add_reconstructed(2, +1, s, forward_term(a, f, p, block, step_of(a, p, n, 2, +1), 2, w));
    s = add_reconstructed(2, -1, s, backward_term(a, f, p, step_of(a, p, n, 2, -1), 2, w));
    s = add_reconstructed(3, +1, s, forward_term(a, f, p, block, step_of(a, p, n, 3, +1), 3, w));
    return add_reconstructed(3, -1, s, backward_term(a, f, p, step_of(a, p, n, 3, -1), 3, w));
}

// Are v and u kept for the sums, or loaded again? A GPU that loads them again waits for v and then
// for u, but in single it has no registers for both.
#if (defined(__CUDACC__) || defined(__OPENCL_VERSION__)) && QCD_MATH_BITS == 64
#define QCD_HOP_KEEPS 1
#else
#define QCD_HOP_KEEPS 0
#endif

/// T v; v where no clover term multiplies it.
QCD_FN spinor with_clover(hopping_args a, hopping_buffers f, int block, lanes w, spinor v)
{
    if (f.clover == 0 || f.inverse != 0) return v;
    return twisted_clover_mul(f.clover + clover_place(block, w), a.twist, v);
}
/// T^-1 s; s where no clover term divides it.
QCD_FN spinor without_clover(hopping_args a, hopping_buffers f, int block, lanes w, spinor s)
{
    if (f.inverse == 0) return s;
    s = clover_mul(f.inverse + clover_place(block, w), s);
    return f.clover == 0 ? s : twisted_clover_mul(f.clover + clover_place(block, w), -a.twist, s);
}

/// Writes out, of which hop = b o (H psi) is known, and returns what the site adds to the sums.
QCD_FN site_sums finish_hop(hopping_args a, hopping_buffers f, int block, spinor hop, lanes w)
{
    const int at = spinor_place(block, w);
    spinor out = hop, v = spinor_zero(), u = spinor_zero();
    if (f.v != 0) v = load_spinor(f.v + at);
    if (QCD_HOP_KEEPS && (a.add_u || a.sums & QCD_SUM_U_OUT)) u = load_spinor(f.u + at);
    if (f.v != 0) out = chiral_fma(a.a, with_clover(a, f, block, w, v), out);
    out = without_clover(a, f, block, w, out);
    if (a.add_u) out = spinor_add(out, QCD_HOP_KEEPS ? u : load_spinor(f.u + at));
    if (a.reach == QCD_REACH_MEMORY && f.out != 0)
        stream_spinor(f.out + at, out);
    else if (f.out != 0)
        store_spinor(f.out + at, out);
    site_sums s = no_sums();
    if (a.sums & QCD_SUM_V_OUT) {
        if (!QCD_HOP_KEEPS) v = load_spinor(f.v + at);
        s.v[0] = spinor_dot_re(v, out);
        if (a.sums & QCD_SUM_IM_V_OUT) s.v[1] = spinor_dot_im(v, out);
    }
    if (a.sums & QCD_SUM_OUT_OUT) s.v[2] = spinor_norm2(out);
    if (a.sums & QCD_SUM_U_OUT) {
        if (!QCD_HOP_KEEPS) u = load_spinor(f.u + at);
        s.v[3] = spinor_dot_re(u, out);
        if (a.sums & QCD_SUM_IM_U_OUT) s.v[4] = spinor_dot_im(u, out);
    }
    return s;
}

#if !defined(__OPENCL_VERSION__) && !defined(__CUDACC__)
/// Out of line: so hops without a clover term lose a branch and no register, and nothing is
/// compiled twice but this. (A second copy of all hops takes a minute and a half of two cores.) By
/// value: whose address is taken stays in memory in all hops.
static __attribute__((noinline)) site_sums finish_clover_hop(hopping_args a, hopping_buffers f,
                                                             int block, spinor hop, lanes w)
{
    return finish_hop(a, f, block, hop, w);
}
#endif

/// Writes out, returns what the site adds to the sums that are asked for. mixed: lanes of a
/// register have rows of either offset (a constant; on the host only).
QCD_FN site_sums hopping_site(hopping_args a, hopping_buffers f, block_place p, int block,
                              block_steps n, int mixed, lanes w)
{
    if (a.reach == QCD_REACH_MEMORY) {
        const int at = block * (QCD_STORED_SPINOR_ROWS * QCD_LANES);
        if (f.v != 0) prefetch_for(a, f.v + at, QCD_STORED_SPINOR_ROWS, w);
        if (f.u != 0) prefetch_for(a, f.u + at, QCD_STORED_SPINOR_ROWS, w);
    }
    const spinor hop = chiral_mul(a.b, hopping_sum(a, f, p, block, n, mixed, w));
#if !defined(__OPENCL_VERSION__) && !defined(__CUDACC__)
    if (f.clover != 0 || f.inverse != 0) return finish_clover_hop(a, f, block, hop, w);
#endif
    return finish_hop(a, f, block, hop, w);
}

QCD_END

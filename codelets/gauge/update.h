#pragma once
// Updates of the links of one direction and parity on a site's lanes. None reads what another one of
// the same call writes: x + nu and x - nu are of the other parity.

#include "codelets/gauge/heatbath.h"
#include "codelets/gauge/staple.h"

QCD_BEGIN

/// Numbers of the sites on the lattice.
QCD_FN vuint site_numbers(link_update_args a, block_place p, lanes w)
{
    const unsigned in_block = a.site + a.stride[0] * (unsigned)p.i[0] +
                              a.stride[1] * (unsigned)p.i[1] + a.stride[2] * (unsigned)p.i[2] +
                              a.stride[3] * (unsigned)p.i[3];
    const int rho = row_offset(p, a.parity);
#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)
    unsigned site = in_block + (unsigned)(rho ^ has_other_rows(a.shape, w.lane));
    site += (w.lane & 1 ? a.lane_site[0] : 0) + (w.lane & 2 ? a.lane_site[1] : 0) +
            (w.lane & 4 ? a.lane_site[2] : 0) + (w.lane & 8 ? a.lane_site[3] : 0) +
            (w.lane & 16 ? a.lane_site[4] : 0);
    return site;
#else
    vuint site;
    for (int j = 0; j < vector_width; ++j) {
        const int lane = w.first + j;
        unsigned n = in_block + (unsigned)(rho ^ has_other_rows(a.shape, lane));
        for (int b = 0; b < 5; ++b) n += a.lane_site[b] & -(unsigned)(lane >> b & 1);
        site[j] = n;
    }
    return site;
#endif
}

/// What a site adds to link_counts.
typedef struct {
    vuint drawn, trials, exhausted;
} site_counts;

/// One SU(2) subgroup of W = U S and U by heat bath.
typedef struct {
    su3 u, w;
    site_counts counts;
} link_state;

QCD_LARGE_FN link_state heatbath_subgroup(link_state s, double weight, random_place at,
                                          int subgroup, vmask wanted)
{
    const heatbath_element e =
        draw_element(subgroup_part_of(s.w, subgroup), weight, at, subgroup, wanted);
    s.counts.drawn = vuint_add(s.counts.drawn, vuint_of_mask(wanted));
    s.counts.trials = vuint_add(s.counts.trials, e.trials);
    s.counts.exhausted =
        vuint_add(s.counts.exhausted, vuint_of_mask(vmask_and(wanted, vmask_not(e.accepted))));
    s.u = subgroup_times(e.g, s.u, subgroup);
    s.w = subgroup_times(e.g, s.w, subgroup);
    return s;
}

QCD_FN site_counts link_heatbath_site(link_update_args a, link_update_buffers f, int block,
                                      block_place p, lanes w)
{
    QCD_GLOBAL real* at = f.own + link_block(block) + own_lanes(QCD_LINK_ROWS, w);
    link_state s;
    s.u = load_matrix(at);
    s.w = su3_product(s.u, staple_sum(a, f, block, p, w));
    s.counts.drawn = s.counts.trials = s.counts.exhausted = vuint_set(0);
    random_place place;
    place.site = site_numbers(a, p, w);
    place.sweep = a.sweep;
    place.mu = (unsigned)a.mu;
    place.seed0 = a.seed[0];
    place.seed1 = a.seed[1];
    const vmask wanted = lanes_with_sites(a.shape, w);
    QCD_ONE_COPY
    for (int subgroup = 0; subgroup < 3; ++subgroup)
        s = heatbath_subgroup(s, a.weight, place, subgroup, wanted);
    store_matrix(at, s.u);
    return s.counts;
}

QCD_FN void link_overrelax_site(link_update_args a, link_update_buffers f, int block, block_place p,
                                lanes w)
{
    QCD_GLOBAL real* at = f.own + link_block(block) + own_lanes(QCD_LINK_ROWS, w);
    su3 u = load_matrix(at), product = su3_product(u, staple_sum(a, f, block, p, w));
    quaternion g = reflection(subgroup_part_of(product, 0));
    u = subgroup_times(g, u, 0);
    product = subgroup_times(g, product, 0);
    g = reflection(subgroup_part_of(product, 1));
    u = subgroup_times(g, u, 1);
    product = subgroup_times(g, product, 1);
    u = subgroup_times(reflection(subgroup_part_of(product, 2)), u, 2);
    store_matrix(at, u);
}

/// Rows 0 and 1 orthonormalised in this order, row 2 = conj(row 0 x row 1): what links::project_two_rows
/// is on the host.
QCD_FN vreal colour_norm2(colour v)
{
    return vfma(v.c2.im, v.c2.im,
                vfma(v.c2.re, v.c2.re,
                     vfma(v.c1.im, v.c1.im,
                          vfma(v.c1.re, v.c1.re, vfma(v.c0.im, v.c0.im, v.c0.re * v.c0.re)))));
}
QCD_FN colour colour_unit(colour v)
{
    const vreal norm2 = colour_norm2(v);
    const vmask none = vequal(norm2, vset(0)); // lanes without sites
    return colour_scale(vset(1) / vsqrt(vchoose(none, vset(1), norm2)), v);
}
QCD_FN cplx conj_cross(cplx a, cplx b, cplx c, cplx d) // conj(a d - b c)
{
    const cplx ad = cmul(a, d), bc = cmul(b, c);
    return cmake(ad.re - bc.re, bc.im - ad.im);
}
QCD_FN su3 reunitarized(su3 u)
{
    u.r0 = colour_unit(u.r0);
    const cplx along = conj_column_times(u.r0, u.r1); // <row 0, row 1>
    u.r1 = colour_unit(colour_fma(cneg(along), u.r0, u.r1));
    u.r2 = colour_make(conj_cross(u.r0.c1, u.r0.c2, u.r1.c1, u.r1.c2),
                       conj_cross(u.r0.c2, u.r0.c0, u.r1.c2, u.r1.c0),
                       conj_cross(u.r0.c0, u.r0.c1, u.r1.c0, u.r1.c1));
    return u;
}

QCD_END

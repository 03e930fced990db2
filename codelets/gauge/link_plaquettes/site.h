#pragma once
// The six plaquettes that go forward from a site's lanes (contract: link_plaquettes.hpp).

#include "codelets/device/site_sums.h"
#include "codelets/device/spinor.h"
#include "codelets/gauge/link_plaquettes/slots.h"
#include "codelets/gauge/neighbour.h"

QCD_BEGIN

/// Re tr A B^dagger
QCD_FN vdouble real_trace_times_dagger(su3 a, su3 b)
{
    return colour_dot_re(colour_dot_re(colour_dot_re(vdset(0), b.r0, a.r0), b.r1, a.r1), b.r2,
                         a.r2);
}

/// U_nu at the sites a step in mu from the caller's.
QCD_FN su3 link_ahead(link_plaquettes_buffers f, tile_shape g, block_place p, int rho, int nu,
                      int mu, lanes w)
{
    const int k = nu < mu ? nu : nu - 1;
    const link_tiles tiles = {f.other[nu], f.ahead[3 * mu + k], 0, 0};
    return link_along(tiles, g, p, rho, link_path_of(mu, 1, nu, 0), w);
}

QCD_LARGE_FN vdouble plaquette_trace(QCD_LARGE_ARGUMENT(link_plaquettes_buffers) f,
                                     QCD_LARGE_ARGUMENT(tile_shape) g, block_place p, int block,
                                     int rho, int mu, int nu, QCD_LARGE_ARGUMENT(lanes) w)
{
    const int own = link_block(block) + own_lanes(QCD_LINK_ROWS, w);
    const su3 first =
                  su3_product(load_matrix(f.same[mu] + own), link_ahead(f, g, p, rho, nu, mu, w)),
              second =
                  su3_product(load_matrix(f.same[nu] + own), link_ahead(f, g, p, rho, mu, nu, w));
    return real_trace_times_dagger(first, second);
}

QCD_FN site_sums link_plaquettes_site(link_plaquettes_args a, link_plaquettes_buffers f, int block,
                                      block_place p, lanes w)
{
    const int rho = row_offset(p, a.parity);
    site_sums s = no_sums();
    QCD_ONE_COPY
    for (int nu = 1; nu < 4; ++nu) {
        QCD_ONE_COPY
        for (int mu = 0; mu < nu; ++mu) {
            const vdouble trace = plaquette_trace(f, a.shape, p, block, rho, mu, nu, w);
            if (nu == 3)
                s.v[1] += trace;
            else
                s.v[0] += trace;
        }
    }
    return s;
}

QCD_END

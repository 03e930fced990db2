#pragma once
// A random element of an SU(2) subgroup, distributed as its neighbours say.

#include "codelets/device/elementary.h"
#include "codelets/device/philox.h"
#include "codelets/gauge/link_args.h"
#include "codelets/gauge/su2.h"

// What the random numbers of a trial are used for, a part of Philox's counter.
#define QCD_USE_HEIGHT 0     // two numbers
#define QCD_USE_ACCEPTANCE 1 // two
#define QCD_USE_DIRECTION 2  // two, of the element: its trial is 0

QCD_BEGIN

/// What the random numbers of a link are functions of, besides subgroup, use and trial.
typedef struct {
    vuint site;
    unsigned sweep, mu, seed0, seed1;
} random_place;

typedef struct {
    vreal u0, u1; // in (0, 1)
} two_units;

QCD_FN two_units random_units(random_place at, int subgroup, int use, int trial)
{
    random_words c;
    c.w0 = at.site;
    c.w1 = vuint_set(at.sweep);
    c.w2 = vuint_set(at.mu | (unsigned)subgroup << 2 | (unsigned)use << 4);
    c.w3 = vuint_set((unsigned)trial);
    c = philox(c, at.seed0, at.seed1);
    two_units u;
    u.u0 = unit_real(c.w0, c.w1);
    u.u1 = unit_real(c.w2, c.w3);
    return u;
}

/// delta = 1 - h0 of an element with density sqrt(1 - h0^2) exp(a h0).
typedef struct {
    vreal delta;
    vmask accepted;
    vuint trials;
} random_height;

/// From this a on by Kennedy and Pendleton (1985): delta = -(ln x1 + cos^2(2 pi x2) ln x3)/a,
/// accepted if r^2 <= 1 - delta/2. Below, where that seldom accepts: h0 uniform in (-1, 1), accepted
/// if ln r <= ln(1 - h0^2)/2 + a (h0 - 1). Either accepts more than 0.39 of its trials.
#define QCD_STEEP 0.75

/// Lanes that `wanted` leaves out try nothing.
QCD_FN random_height draw_height(vreal a, random_place at, int subgroup, vmask wanted)
{
    const vmask steep = vnot_above(vset(QCD_STEEP), a);
    const vreal minus_inverse = vset(-1) / vchoose(steep, a, vset(1));
    random_height h;
    h.delta = vset(0);
    h.accepted = vmask_not(vmask_all());
    h.trials = vuint_set(0);
    vmask open = wanted;
    for (int trial = 0; trial < QCD_MOST_TRIALS && vmask_any(open); ++trial) {
        const two_units x = random_units(at, subgroup, QCD_USE_HEIGHT, trial),
                        r = random_units(at, subgroup, QCD_USE_ACCEPTANCE, trial);
        const vreal flat = x.u0 + x.u0; // delta, uniform in (0, 2)
        const vreal log0 = vlog(vchoose(steep, x.u0, flat * (vset(2) - flat))), log1 = vlog(r.u0);
        const vreal c = vdirection(x.u1).cos;
        const vreal delta = vchoose(steep, vfma(c * c, log1, log0) * minus_inverse, flat);
        const vmask by_steep = vnot_above(r.u1 * r.u1, vfma(vset(-0.5), delta, vset(1)));
        const vmask by_flat = vnot_above(log1, vfnma(a, flat, vset(0.5) * log0));
        const vmask good = vmask_and(open, vmask_choose(steep, by_steep, by_flat));
        h.delta = vchoose(good, delta, h.delta);
        h.trials = vuint_add(h.trials, vuint_of_mask(open));
        open = vmask_and(open, vmask_not(good));
    }
    h.accepted = vmask_and(wanted, vmask_not(open));
    return h;
}

/// A unit quaternion of this height, in a random direction.
QCD_FN quaternion draw_direction(vreal delta, random_place at, int subgroup)
{
    const two_units u = random_units(at, subgroup, QCD_USE_DIRECTION, 0);
    const vreal radius = vsqrt(delta * (vset(2) - delta)), z = vfma(vset(2), u.u0, vset(-1)),
                across = radius * vsqrt(vset(4) * u.u0 * (vset(1) - u.u0));
    const direction_of_angle phi = vdirection(u.u1);
    return quaternion_make(vset(1) - delta, across * phi.cos, across * phi.sin, radius * z);
}

/// g with the density exp(weight/2 Re tr(g q)) on SU(2), and how it was found.
typedef struct {
    quaternion g; // 1 where no trial was accepted: the link stays
    vmask accepted;
    vuint trials;
} heatbath_element;

QCD_FN heatbath_element draw_element(quaternion q, double weight, random_place at, int subgroup,
                                     vmask wanted)
{
    const vreal norm2 = quaternion_norm2(q);
    const vmask none = vless(norm2, vset(QCD_NO_STAPLE));
    const vreal norm = vsqrt(vchoose(none, vset(0), norm2));
    const quaternion unit = quaternion_choose(
        none, quaternion_one(), quaternion_scale(vset(1) / vchoose(none, vset(1), norm), q));
    const random_height h = draw_height(vset(weight) * norm, at, subgroup, wanted);
    heatbath_element e;
    e.accepted = h.accepted;
    e.trials = h.trials;
    e.g = quaternion_choose(h.accepted,
                            quaternion_times_dagger(draw_direction(h.delta, at, subgroup), unit),
                            quaternion_one());
    return e;
}

QCD_END

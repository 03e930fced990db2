#pragma once
// One site by 12 threads of a work group, each of which makes an element of the result
// (contracts.hpp). Barriers: one when neighbours' numbers and links are in local memory, then
//   17  for each direction: xgemm34x44 to T, barrier, xgemm33x34 from T, barrier
//   13  for each mu, whose neighbour ahead uses T0 and whose neighbour behind uses T1: xgemm34x44
//       to T0, barrier, xgemm33x34 from T0 and xgemm34x44 to T1, barrier, xgemm33x34 from T1, barrier

#include "codelets/device/threads.h"
#include "codelets/ladder/ladder_stencil/site.h"

QCD_BEGIN

/// What a thread works on.
typedef struct {
    int group_sites, first;   // sites that a group takes; the first one of this group
    int of_group, site, c, s; // its site in the group and in the tile, its element
    int active;               // 0: it has none, and only meets the barriers
    QCD_LOCAL ladder_complex* t;
    QCD_LOCAL ladder_complex* links;
    QCD_LOCAL int* neighbours;
} ladder_thread;

QCD_THREAD_FN ladder_thread ladder_thread_of(const int switches, ladder_stencil_args a,
                                             QCD_LOCAL ladder_complex* memory)
{
    const int thread = QCD_THREAD_ID(), e = thread % QCD_LADDER_ELEMENTS;
    ladder_thread my;
    my.group_sites = a.multiple;
    my.first = QCD_GROUP_ID() * a.multiple;
    my.of_group = thread / QCD_LADDER_ELEMENTS;
    my.site = my.first + my.of_group;
    my.c = e / 4;
    my.s = e % 4;
    my.active = my.of_group < a.multiple && my.site < a.shape.sites;
    my.t = memory;
    my.links =
        memory + QCD_LADDER_ELEMENTS * a.multiple * (switches & QCD_LADDER_OVERLAPPED ? 2 : 1);
    my.neighbours = (QCD_LOCAL int*)(my.links + (switches & QCD_LADDER_LOCAL_LINKS
                                                     ? QCD_LADDER_LINK_ELEMENTS * a.multiple
                                                     : 0));
    return my;
}

/// Links of the group's sites, which lie in one row, or in one for each mu; by all its threads.
QCD_THREAD_FN void ladder_fetch_links(const int switches, ladder_stencil_args a,
                                      QCD_GLOBAL const ladder_complex* links, ladder_thread my)
{
    const int rows = switches & QCD_LADDER_PAIRED ? 4 : 1, row = QCD_LADDER_LINK_ELEMENTS / rows,
              left = a.shape.sites - my.first,
              elements = row * (left < my.group_sites ? left : my.group_sites);
    for (int r = 0; r < rows; ++r)
        for (int i = QCD_THREAD_ID(); i < elements; i += QCD_LADDER_ELEMENTS * my.group_sites)
            my.links[row * my.group_sites * r + i] =
                links[row * (a.shape.sites * r + my.first) + i];
}

/// xgemm34x44 of direction d, to the group's spinors number `to`.
QCD_THREAD_FN void ladder_to_local(const int switches, ladder_stencil_args a,
                                   ladder_stencil_buffers f, ladder_thread my, int d, int to)
{
    if (!my.active) return;
    const int n = my.neighbours[8 * my.of_group + d];
    my.t[QCD_LADDER_ELEMENTS * (my.group_sites * to + my.of_group) + 4 * my.c + my.s] =
        ladder_xgemm34x44_element(
            switches, d, ladder_spinor_at(a.shape, f.psi, f.below, f.above, n), f.spin, my.c, my.s);
}

/// sum + xgemm33x34 of direction d, from there.
QCD_THREAD_FN ladder_complex ladder_from_local(const int switches, ladder_stencil_args a,
                                               ladder_stencil_buffers f, ladder_thread my, int d,
                                               int from, ladder_complex sum)
{
    if (!my.active) return sum;
    const int t = QCD_LADDER_ELEMENTS * (my.group_sites * from + my.of_group) + my.s;
    for (int k = 0; k < 3; ++k) {
        const ladder_complex u =
            switches & QCD_LADDER_LOCAL_LINKS
                ? my.links[ladder_link_place(switches, my.group_sites, my.of_group, d, my.c, k)]
                : f.links[ladder_link_place(switches, a.shape.sites, my.site, d, my.c, k)];
        sum = ladder_mul_add(u, my.t[t + 4 * k], sum);
    }
    return sum;
}

/// All threads of a group call it, with the memory of the group.
QCD_THREAD_FN void ladder_stencil_fine(const int switches, ladder_stencil_args a,
                                       ladder_stencil_buffers f, QCD_LOCAL ladder_complex* memory)
{
    const ladder_thread my = ladder_thread_of(switches, a, memory);
    const int e = 4 * my.c + my.s;
    if (my.active && e < 8)
        my.neighbours[8 * my.of_group + e] =
            ladder_stencil_neighbour(switches, a.shape, f, my.site, e);
    if ((switches & QCD_LADDER_LOCAL_LINKS) && my.of_group < my.group_sites)
        ladder_fetch_links(switches, a, f.links, my);
    QCD_BARRIER();
    ladder_complex sum = ladder_make(0, 0);
#define QCD_LADDER_ONE_BY_ONE(d)                                                                   \
    ladder_to_local(switches, a, f, my, d, 0);                                                     \
    QCD_BARRIER();                                                                                 \
    sum = ladder_from_local(switches, a, f, my, d, 0, sum);                                        \
    QCD_BARRIER();
#define QCD_LADDER_TWO_BY_TWO(mu)                                                                  \
    ladder_to_local(switches, a, f, my, mu, 0);                                                    \
    QCD_BARRIER();                                                                                 \
    sum = ladder_from_local(switches, a, f, my, mu, 0, sum);                                       \
    ladder_to_local(switches, a, f, my, mu + 4, 1);                                                \
    QCD_BARRIER();                                                                                 \
    sum = ladder_from_local(switches, a, f, my, mu + 4, 1, sum);                                   \
    QCD_BARRIER();
    if (switches & QCD_LADDER_OVERLAPPED) {
        QCD_LADDER_TWO_BY_TWO(0)
        QCD_LADDER_TWO_BY_TWO(1)
        QCD_LADDER_TWO_BY_TWO(2)
        QCD_LADDER_TWO_BY_TWO(3)
    } else {
        QCD_LADDER_ONE_BY_ONE(0)
        QCD_LADDER_ONE_BY_ONE(1)
        QCD_LADDER_ONE_BY_ONE(2)
        QCD_LADDER_ONE_BY_ONE(3)
        QCD_LADDER_ONE_BY_ONE(4)
        QCD_LADDER_ONE_BY_ONE(5)
        QCD_LADDER_ONE_BY_ONE(6)
        QCD_LADDER_ONE_BY_ONE(7)
    }
#undef QCD_LADDER_ONE_BY_ONE
#undef QCD_LADDER_TWO_BY_TWO
    const int at = QCD_LADDER_ELEMENTS * my.site + e;
    if (my.active)
        f.out[at] =
            ladder_add(ladder_chiral_mul(a.a, f.psi[at], my.s), ladder_chiral_mul(a.b, sum, my.s));
}

QCD_END

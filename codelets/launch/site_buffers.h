#pragma once
// What kernels that go site by site do with their buffers (device/slots.h), on every kind of
// worker.

#include "codelets/device/site_sums.h"
#include "codelets/device/slots.h"

// Two functions of an operation:
//   NAME_of_rhs  with the scalars of a right-hand side. Fields and sums stay those of the first one:
//                a field is moved by the number of the block, and sums where they are added, since
//                a GPU would keep their place in registers until then
//   NAME_closed  is there a gate, and is it closed?
#define QCD_SITE_BUFFERS(op)                                                                       \
    QCD_FN op##_buffers op##_of_rhs(op##_buffers f, int rhs)                                       \
    {                                                                                              \
        QCD_SLOTS_##op(QCD_SLOT_OF_RHS, op##_) return f;                                           \
    }                                                                                              \
    QCD_FN int op##_closed(op##_buffers f) { return 0 QCD_SLOTS_##op(QCD_SLOT_CLOSED, op##_); }

#define QCD_SLOT_OF_RHS(op, name, use, contents, type, presence) QCD_OF_RHS_##contents(name, type)
#define QCD_OF_RHS_spinor(name, type)
#define QCD_OF_RHS_links(name, type)
#define QCD_OF_RHS_sums(name, type)
#define QCD_OF_RHS_scalars(name, type)                                                             \
    f.name = (QCD_GLOBAL const type*)gate_of((QCD_GLOBAL const solve_scalars*)f.name, rhs);
#define QCD_OF_RHS_gate QCD_OF_RHS_scalars

#define QCD_SLOT_CLOSED(op, name, use, contents, type, presence) QCD_CLOSED_##contents(name)
#define QCD_CLOSED_spinor(name)
#define QCD_CLOSED_links(name)
#define QCD_CLOSED_sums(name)
#define QCD_CLOSED_scalars(name)
#define QCD_CLOSED_gate(name) || gate_closed((QCD_GLOBAL const solve_scalars*)f.name)

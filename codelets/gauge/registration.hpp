#pragma once
// Lines that register operations on links (codelets/registration.hpp).
//   QCD_LINK_OPERATION(gauge, NAME, FLOPS)  of the slots of link_args.h; FLOPS a site

#include "codelets/gauge/link_args.h"
#include "codelets/gauge/slots.hpp"
#include "codelets/registration.hpp"

#define QCD_LINK_OPERATION(family, op, flops_of_link)                                              \
    QCD_OPERATION_OF(QCD_OPENCL_TEXT, family, op, .slots = QCD_SLOT_TABLE(link_update),            \
                     .blocks = blocks_in, .flops = flops_a_site<flops_of_link>, .sweeps = false)   \
    QCD_OPERATIONS(op, &op##_variants().first())

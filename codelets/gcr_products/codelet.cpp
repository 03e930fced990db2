#include "codelets/gcr_products/gcr_products.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(fields, gcr_products,
              .slots = {slot::spinor("Az", Mode::reads), slot::spinor("q0", Mode::reads),
                        slot::optional(slot::spinor("q1", Mode::reads)), slot::scalars("scalars"),
                        slot::sums("sums")},
              .blocks = blocks_in<gcr_products_args>,
              .flops = flops_with<gcr_products_args, gcr_products_q1, 192, 96>,
              .idle = behind_closed_gate_of<gcr_products_scalars>)

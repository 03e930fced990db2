#include "codelets/hop_border/hop_border.hpp"
#include "codelets/hopping/hopping.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(half_links, hop_border, .blocks = hopping_blocks, .flops = hopping_flops,
              .share = hopping_share, .like = "hopping",
              .idle = behind_closed_gate_of<hopping_gate>, .opencl_kernel = hopping_opencl_kernel,
              .layers_are_close = true, .urgent = true)

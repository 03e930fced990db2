#include "codelets/hop_inside/hop_inside.hpp"
#include "codelets/hopping/hopping.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(half_links, hop_inside, .blocks = hopping_blocks, .flops = hopping_flops,
              .share = hopping_share, .like = "hopping",
              .idle = behind_closed_gate_of<hopping_gate>, .opencl_kernel = hopping_opencl_kernel,
              .layers_are_close = true)

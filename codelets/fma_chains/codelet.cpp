#include "codelets/fma_chains/fma_chains.hpp"
#include "codelets/registration.hpp"

namespace qcd
{
namespace
{

double fma_chains_flops(const void* args, unsigned present)
{
    return static_cast<const fma_chains_args*>(args)->steps *
           flops_a_site<fma_chains_args, 48>(args, present);
}

} // namespace
} // namespace qcd

QCD_OPERATION(fields, fma_chains, .slots = {slot::spinor("x", Mode::updates)},
              .blocks = blocks_in<fma_chains_args>, .flops = fma_chains_flops)

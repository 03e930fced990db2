#include "codelets/chiral_scale/chiral_scale.hpp"

QCD_DECLARE_KERNELS(chiral_scale)

namespace qcd
{

const Codelet& chiral_scale_codelet(Precision precision)
{
    static const CodeletFamily family({.name = "chiral_scale",
                                       .args_size = sizeof(chiral_scale_args),
                                       .slots = chiral_scale_slots,
                                       .blocks = blocks_in<chiral_scale_args>},
                                      QCD_KERNELS(chiral_scale));
    return family[precision];
}

} // namespace qcd

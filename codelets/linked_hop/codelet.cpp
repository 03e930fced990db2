#include "codelets/linked_hop/linked_hop.hpp"

QCD_DECLARE_LINK_KERNELS(linked_hop)

namespace qcd
{

const Codelet& linked_hop_codelet(Precision precision, LinkStorage links)
{
    static const ByLinkStorage<CodeletFamily> families([](LinkStorage storage) {
        return new CodeletFamily({.name = "linked_hop",
                                  .args_size = sizeof(linked_hop_args),
                                  .slots = linked_hop_slots,
                                  .sums_slot = hopping_sums,
                                  .blocks = [](const void*) { return 1; },
                                  .links = storage,
                                  .opencl = false},
                                 QCD_LINK_KERNELS(linked_hop, storage));
    });
    return families[links][precision];
}

} // namespace qcd

#include "codelets/linked_hop/linked_hop.hpp"

QCD_DECLARE_LINK_KERNELS(linked_hop)

namespace qcd
{

const Codelet& linked_hop_codelet(Precision precision, LinkStorage links)
{
    static const ByLinkStorage<CodeletFamily> families([](LinkStorage storage) {
        return new CodeletFamily(
            "linked_hop", QCD_LINK_KERNELS(linked_hop, storage), sizeof(linked_hop_args),
            linked_hop_slots, hopping_sums, [](const void*) { return 1; }, nullptr, storage);
    });
    return families[links][precision];
}

} // namespace qcd

#include "tests/codelets/launch.hpp"

#include "codelets/bicgstab_residual/bicgstab_residual.hpp"
#include "codelets/bicgstab_update/bicgstab_update.hpp"
#include "codelets/cg_update/cg_update.hpp"
#include "codelets/chiral_scale/chiral_scale.hpp"
#include "codelets/coefficients/coefficients.hpp"
#include "codelets/cr_update/cr_update.hpp"
#include "codelets/dot/dot.hpp"
#include "codelets/hopping/hopping.hpp"
#include "codelets/merge_sums/merge_sums.hpp"
#include "codelets/pack_faces/pack_faces.hpp"
#include "codelets/xgemm33x34/xgemm33x34.hpp"
#include "codelets/xgemm34x44/xgemm34x44.hpp"
#include "codelets/xpay/xpay.hpp"
#include "tasks/submit.hpp"
#include "tests/codelets/session.hpp"

#include <catch2/catch.hpp>

QCD_DECLARE_KERNELS(bicgstab_residual)
QCD_DECLARE_KERNELS(bicgstab_update)
QCD_DECLARE_KERNELS(cg_update)
QCD_DECLARE_KERNELS(chiral_scale)
QCD_DECLARE_KERNELS(coefficients)
QCD_DECLARE_KERNELS(cr_update)
QCD_DECLARE_KERNELS(dot)
QCD_DECLARE_RESIDUAL_KERNELS(hopping)
QCD_DECLARE_KERNELS(merge_sums)
QCD_DECLARE_RESIDUAL_KERNELS(pack_faces)
QCD_DECLARE_KERNELS(xgemm33x34)
QCD_DECLARE_KERNELS(xgemm34x44)
QCD_DECLARE_KERNELS(xpay)

namespace qcd
{

const test::Operation test::op::bicgstab_residual{bicgstab_residual_codelet,
                                                  QCD_KERNELS(bicgstab_residual)};
const test::Operation test::op::bicgstab_update{bicgstab_update_codelet,
                                                QCD_KERNELS(bicgstab_update)};
const test::Operation test::op::cg_update{cg_update_codelet, QCD_KERNELS(cg_update)};
const test::Operation test::op::chiral_scale{chiral_scale_codelet, QCD_KERNELS(chiral_scale)};
const test::Operation test::op::coefficients{coefficients_codelet, QCD_KERNELS(coefficients)};
const test::Operation test::op::cr_update{cr_update_codelet, QCD_KERNELS(cr_update)};
const test::Operation test::op::dot{dot_codelet, QCD_KERNELS(dot)};
const test::Operation test::op::hopping{hopping_codelet, QCD_RESIDUAL_KERNELS(hopping)};
const test::Operation test::op::merge_sums{merge_sums_codelet, QCD_KERNELS(merge_sums)};
const test::Operation test::op::pack_faces{pack_faces_codelet, QCD_RESIDUAL_KERNELS(pack_faces)};
const test::Operation test::op::xgemm33x34{xgemm33x34_codelet, QCD_KERNELS(xgemm33x34)};
const test::Operation test::op::xgemm34x44{xgemm34x44_codelet, QCD_KERNELS(xgemm34x44)};
const test::Operation test::op::xpay{xpay_codelet, QCD_KERNELS(xpay)};

} // namespace qcd

namespace qcd::test
{

namespace
{

void run_task(const Codelet& codelet, const void* args, const std::vector<Slot>& slots)
{
    std::vector<Access> accesses;
    for (const Slot& s : slots) {
        Data d;
        if (s.data)
            starpu_vector_data_register(&d.handle, STARPU_MAIN_RAM, uintptr_t(s.data), s.elements,
                                        s.element_bytes);
        // Updates all: what is to be written carries its poison to the device, and what the device
        // did to its inputs comes back.
        accesses.push_back(updates(d));
    }
    submit_task(codelet, args, accesses);
    for (const Access& a : accesses)
        if (a.data) starpu_data_unregister(a.data.handle);
}

} // namespace

void Backend::run_raw(const Operation& o, Precision p, const void* args,
                      std::vector<Slot> slots) const
{
    const Codelet& codelet = o.codelet(p);
    INFO("backend " << name() << ", operation " << codelet.name);
    slots.resize(codelet.family->slots);
    std::vector<std::vector<char>> before;
    for (const Slot& s : slots)
        before.emplace_back(static_cast<char*>(s.data), static_cast<char*>(s.data) + s.bytes());
    if (kind_ == "cpu") {
        std::vector<void*> pointers;
        for (const Slot& s : slots) pointers.push_back(s.data);
        o.kernels.cpu[int(p)][int(isa_)](args, pointers.data());
    } else {
        use_workers(kind_ == "opencl" ? Workers{.opencl = 1} : Workers{.cuda = 1});
        run_task(codelet, args, slots);
    }
    for (std::size_t s = 0; s < slots.size(); ++s)
        if (slots[s].input && std::memcmp(before[s].data(), slots[s].data, slots[s].bytes()) != 0)
            FAIL("the input in slot " << s << " has changed");
}

const std::vector<Backend>& backends()
{
    static const std::vector<Backend> present = [] {
        std::vector<Backend> b;
        for (const Isa isa : {Isa::generic, Isa::avx2, Isa::avx512})
            if (isa <= cpu_isa()) b.push_back(Backend::cpu(isa));
        if (has_workers("opencl")) b.push_back(Backend::opencl());
        if (has_workers("cuda")) b.push_back(Backend::cuda());
        return b;
    }();
    return present;
}

void require_same_bytes(const std::string& what, const std::vector<char>& a,
                        const std::vector<char>& b)
{
    INFO(what << " must give the same bits");
    REQUIRE(a.size() == b.size());
    const auto differ = std::mismatch(a.begin(), a.end(), b.begin());
    INFO("first different byte: " << differ.first - a.begin() << " of " << a.size());
    REQUIRE(bool(differ.first == a.end()));
}

} // namespace qcd::test

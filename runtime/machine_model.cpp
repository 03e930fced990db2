#include "runtime/machine_model.hpp"

namespace qcd
{

namespace
{

constexpr std::size_t mib = 1 << 20;

/// docs/lab/ideas-cores.md has the measurements. An L3 of AMD's mostly has 32 MiB; a hop has one
/// stream more than they prefetch for, so that those before Zen 5 are to ask early if data come
/// from memory; from Zen 5 on into L1.
MachineModel make_model()
{
    if (!__builtin_cpu_is("amd")) return {96 * mib, 1, Prefetch::next, Prefetch::next};
    if (__builtin_cpu_is("amdfam17h") || __builtin_cpu_is("amdfam19h"))
        return {32 * mib, 0.5, Prefetch::next, Prefetch::early};
    return {32 * mib, 0.5, Prefetch::close, Prefetch::close};
}

} // namespace

const MachineModel& MachineModel::of_this_machine()
{
    static const MachineModel model = make_model();
    return model;
}

} // namespace qcd

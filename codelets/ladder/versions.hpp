#pragma once
// The versions of the ladder of 2013, which moved this solver to GPUs in steps: each a set of
// switches (docs/ladder.md). No StarPU.

#include "codelets/ladder/switches.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace qcd
{

struct LadderVersion {
    const char* name;
    int switches;             ///< QCD_LADDER_*
    bool full_groups = false; ///< several sites a work group (`multiple`); else one, if threads are
                              ///< fine
    bool separate = false;    ///< a task for every xgemm34x44 and xgemm33x34; else one for all
    bool on_devices = true;

    constexpr bool has(int s) const { return (switches & s) != 0; }
};

inline constexpr std::array ladder_versions = [] {
    constexpr int fine = QCD_LADDER_FINE | QCD_LADDER_LOCAL_LINKS,
                  sparse = fine | QCD_LADDER_SPARSE, computed = sparse | QCD_LADDER_COMPUTED,
                  overlapped = computed | QCD_LADDER_OVERLAPPED,
                  paired = overlapped | QCD_LADDER_PAIRED;
    return std::array{
        LadderVersion{.name = "original", .switches = 0, .on_devices = false},
        LadderVersion{.name = "1.0", .switches = 0},
        LadderVersion{.name = "1.1", .switches = fine},
        LadderVersion{.name = "1.2", .switches = fine, .full_groups = true},
        LadderVersion{.name = "1.3", .switches = sparse, .full_groups = true},
        LadderVersion{.name = "1.4", .switches = computed, .full_groups = true},
        LadderVersion{.name = "1.5", .switches = overlapped, .full_groups = true},
        LadderVersion{.name = "1.6", .switches = paired, .full_groups = true},
        LadderVersion{
            .name = "1.6.1", .switches = paired & ~QCD_LADDER_LOCAL_LINKS, .full_groups = true},
        LadderVersion{.name = "2.0",
                      .switches = QCD_LADDER_FINE | QCD_LADDER_SPARSE | QCD_LADDER_COMPUTED,
                      .full_groups = true,
                      .separate = true},
    };
}();

/// Sites of a work group that versions with full groups are built for (--multiple).
inline constexpr std::array ladder_multiples = {8, 16, 64};

/// Throws Error, one line, where there is none of this name.
const LadderVersion& ladder_version(std::string_view name);
/// Sites of a work group: `asked`, or 1 where groups are not full. Throws Error, one line, where
/// kernels are not built for so many.
int ladder_multiple(const LadderVersion&, int asked);

/// Calls f(std::integral_constant<int, switches & mask>) where the switches are those of a version
/// whose stencil is one task.
template <int mask, class F>
void with_ladder_switches(int switches, const F& f)
{
    const auto is = [&]<std::size_t i>(std::index_sequence<i>) {
        constexpr const LadderVersion& v = ladder_versions[i];
        if constexpr (!v.separate)
            if ((switches & mask) == (v.switches & mask)) {
                f(std::integral_constant<int, (v.switches & mask)>{});
                return true;
            }
        return false;
    };
    [&]<std::size_t... i>(std::index_sequence<i...>)
    {
        (void)(is(std::index_sequence<i>{}) || ...);
    }
    (std::make_index_sequence<ladder_versions.size()>{});
}

} // namespace qcd

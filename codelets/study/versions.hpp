#pragma once
// The versions of the study of 2013, which moved this solver to GPUs in steps: each a set of
// switches (docs/ladder.md). No StarPU.

#include "codelets/study/switches.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace qcd
{

struct StudyVersion {
    const char* name;
    int switches;             ///< QCD_STUDY_*
    bool full_groups = false; ///< several sites a work group (`multiple`); else one, if threads are
                              ///< fine
    bool separate = false;    ///< a task for every xgemm34x44 and xgemm33x34; else one for all
    bool on_devices = true;

    constexpr bool has(int s) const { return (switches & s) != 0; }
};

inline constexpr std::array study_versions = [] {
    constexpr int fine = QCD_STUDY_FINE | QCD_STUDY_LOCAL_LINKS, sparse = fine | QCD_STUDY_SPARSE,
                  computed = sparse | QCD_STUDY_COMPUTED,
                  overlapped = computed | QCD_STUDY_OVERLAPPED,
                  paired = overlapped | QCD_STUDY_PAIRED;
    return std::array{
        StudyVersion{.name = "original", .switches = 0, .on_devices = false},
        StudyVersion{.name = "1.0", .switches = 0},
        StudyVersion{.name = "1.1", .switches = fine},
        StudyVersion{.name = "1.2", .switches = fine, .full_groups = true},
        StudyVersion{.name = "1.3", .switches = sparse, .full_groups = true},
        StudyVersion{.name = "1.4", .switches = computed, .full_groups = true},
        StudyVersion{.name = "1.5", .switches = overlapped, .full_groups = true},
        StudyVersion{.name = "1.6", .switches = paired, .full_groups = true},
        StudyVersion{
            .name = "1.6.1", .switches = paired & ~QCD_STUDY_LOCAL_LINKS, .full_groups = true},
        StudyVersion{.name = "2.0",
                     .switches = QCD_STUDY_FINE | QCD_STUDY_SPARSE | QCD_STUDY_COMPUTED,
                     .full_groups = true,
                     .separate = true},
    };
}();

/// Sites of a work group that versions with full groups are built for (--multiple).
inline constexpr std::array study_multiples = {8, 16, 64};

/// Throws Error, one line, where there is none of this name.
const StudyVersion& study_version(std::string_view name);
/// Sites of a work group: `asked`, or 1 where groups are not full. Throws Error, one line, where
/// kernels are not built for so many.
int study_multiple(const StudyVersion&, int asked);

/// Calls f(std::integral_constant<int, switches & mask>) where the switches are those of a version
/// whose stencil is one task.
template <int mask, class F>
void with_study_switches(int switches, const F& f)
{
    const auto is = [&]<std::size_t i>(std::index_sequence<i>) {
        constexpr const StudyVersion& v = study_versions[i];
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
    (std::make_index_sequence<study_versions.size()>{});
}

} // namespace qcd

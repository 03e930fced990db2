#pragma once
// Options that all studies have: workers, plan, output.

#include "drivers/call.hpp"
#include "drivers/cli/text.hpp"
#include "runtime/plan.hpp"
#include "runtime/session_options.hpp"
#include "studies/frame/study.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace qcd::studies
{

inline constexpr const char* program_name = "starpu_studies";

struct FrameOptions {
    std::optional<int> cpus, cuda, opencl; ///< numbers of workers
    int cores_per_worker = 1;
    std::string sched;
    PlanKind plan = PlanKind::graph;
    int repeat = 1;          ///< runs that count
    std::string json, trace; ///< empty: none
    bool quiet = false, verbose = false;
    Call call{program_name, {}};
};

/// A study with its options.
struct StudyCall {
    const StudyKind* kind = nullptr;
    std::unique_ptr<Study> study;
    FrameOptions frame;
};

/// Several of them in turn.
struct CompareCall {
    const StudyKind* kind = nullptr;
    std::vector<std::vector<std::string>> cases; ///< arguments of the study
    std::vector<std::vector<std::pair<std::string, std::string>>> factors; ///< of each case
    int rounds = 10;
    long seed = 1;
    std::string folder = "compare-study";
    std::string json;
    bool quiet = false;
    Call call{program_name, {}};
};

using StudyCommand = std::variant<StudyCall, CompareCall, cli::Text>;

/// All there are, in the order in which help names them.
const std::vector<StudyKind>& study_kinds();

/// arguments: what follows the program's name. Throws Error in one line.
StudyCommand parse_command(const std::vector<std::string>& arguments);
/// Of one study.
std::variant<StudyCall, cli::Text> parse_study(const StudyKind&,
                                               const std::vector<std::string>& arguments);

/// The workers as asked for.
SessionOptions session_options(const FrameOptions&);
/// How a session's workers execute it. Throws Error where plan and workers do not fit.
Plan plan_of(const FrameOptions&, const Session&);

/// "2x3" or "4": so many positive whole numbers, at most `most` each; fewer where the last ones are
/// `otherwise`, if there is one.
std::vector<int> parse_numbers(const char* option, const std::string& text, int count, int most,
                               std::optional<int> otherwise = std::nullopt);

} // namespace qcd::studies

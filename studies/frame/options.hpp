#pragma once
// Options that all studies have: workers, plan, output.

#include "program/call.hpp"
#include "program/cli/text.hpp"
#include "runtime/plan.hpp"
#include "runtime/session_options.hpp"
#include "studies/frame/study.hpp"

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace CLI
{
class Option;
}

namespace qcd::studies
{

inline constexpr const char* program_name = "starpu_studies";

struct FrameOptions {
    std::optional<int> cpus, cuda, opencl; ///< numbers of workers
    int cores_per_worker = 1;
    std::string sched;
    PlanKind plan = PlanKind::graph;
    int repeat = 1;          ///< runs that count
    double within = 0;       ///< seconds after which none begins, but for the first; 0: any
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
    int seed = 1;
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
/// Reads the options of one study.
std::variant<StudyCall, cli::Text> parse_study(const StudyKind&,
                                               const std::vector<std::string>& arguments);

/// The workers as asked for.
SessionOptions session_options(const FrameOptions&);
/// How a session's workers execute it. Throws Error where plan and workers do not fit.
Plan plan_of(const FrameOptions&, const Session&);
/// Where nobody says how many: two for each of several workers, at most so many.
int chosen_parts(const WorkerCounts&, int most);

// What options of studies are.

/// A whole number from low to high; what is not there has no default.
CLI::Option* add_count(cli::Parser&, const char* option, int& target, int low, int high,
                       const char* description);
CLI::Option* add_count(cli::Parser&, const char* option, std::optional<int>& target, int low,
                       int high, const char* description);
/// A number above 0, at most `most`.
CLI::Option* add_positive(cli::Parser&, const char* option, double& target, double most,
                          const char* description);
/// Numbers from 1 to most joined by x, one for each direction: "2x3". There may be fewer: the last
/// stands for those of --size that are missing, 1 for those of --tiles.
void add_size(cli::Parser&, std::span<int> size, int most, const char* type_name,
              const char* description);
void add_tiles(cli::Parser&, std::span<int> tiles, int most, const char* type_name,
               const char* description);

} // namespace qcd::studies

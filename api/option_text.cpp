#include "api/option_text.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "drivers/spec/rules.hpp"
#include "drivers/spec/run_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

namespace qcd
{

namespace
{

using Words = std::vector<std::string>;

const Words session_words{"--cpus",  "--cuda",       "--opencl",  "--cores-per-worker",
                          "--sched", "--gpu-memory", "--lattice", "--plan",
                          "--tiles", "--precision"};
const Words problem_words{"--boundary",       "--csw",       "--theta",        "--solver",
                          "--even-odd",       "--precision", "--links",        "--sloppy",
                          "--sloppy-drop",    "--restart",   "--precondition", "--domain",
                          "--max-iterations", "--plan",      "--tiles"};

/// Throws Error where one is no such option: those that print, read or write are the program's.
Words split_options(std::string_view text, const Words& known)
{
    std::istringstream in{std::string(text)};
    Words words;
    for (std::string word; in >> word; words.push_back(word)) {
        if (!word.starts_with("-")) continue;
        const std::string name = word.substr(0, word.find('='));
        const bool value = name.size() > 1 && (std::isdigit(name[1]) || name[1] == '.');
        if (!value && std::find(known.begin(), known.end(), name) == known.end())
            throw Error(fmt::format("options: {} is none of {}", qcd::quoted(name),
                                    fmt::join(known, ", ")));
    }
    return words;
}

/// The lattice of a session that names none: it decides only how many workers are worth having.
constexpr const char* usual_lattice = "16x16x16x32";

} // namespace

RunSpec parse_session_options(std::string_view text)
{
    RunSpec s = parse_run(split_options(text, session_words), session_words);
    if (!s.problem.lattice()) s = with(std::move(s), "lattice", usual_lattice);
    return completed(s);
}

RunSpec parse_problem_options(std::string_view text, const Extents& extents, double kappa,
                              double mubar, double tolerance)
{
    require_lattice(extents, "extents");
    RunSpec s = parse_run(split_options(text, problem_words), problem_words);
    s = with(std::move(s), "lattice", to_string(extents));
    s = with(std::move(s), "kappa", fmt::format("{}", kappa));
    s = with(std::move(s), "mubar", fmt::format("{}", mubar));
    if (tolerance != 0) s = with(std::move(s), "tol", fmt::format("{}", tolerance));
    require_possible(s, {});
    return completed(s);
}

} // namespace qcd

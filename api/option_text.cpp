#include "api/option_text.hpp"

#include "lattice/error.hpp"
#include "lattice/text.hpp"

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

cli::SolveOptions parse(Words words)
{
    words.insert(words.begin(), {"solve", "--quiet", "--gauge", "unit"});
    return std::get<cli::SolveOptions>(cli::parse(words));
}

} // namespace

cli::SolveOptions parse_session_options(std::string_view text)
{
    Words words = split_options(text, session_words);
    const auto names_lattice = [](const std::string& w) { return w.starts_with("--lattice"); };
    if (std::none_of(words.begin(), words.end(), names_lattice))
        words.insert(words.end(), {"--lattice", "16x16x16x32"});
    return parse(words);
}

cli::SolveOptions parse_problem_options(std::string_view text, const Extents& extents, double kappa,
                                        double mubar, double tolerance)
{
    require_lattice(extents, "extents");
    Words words = split_options(text, problem_words);
    words.insert(words.begin(),
                 {"--lattice=" + to_string(extents), fmt::format("--kappa={}", kappa),
                  fmt::format("--mubar={}", mubar)});
    if (tolerance != 0) words.push_back(fmt::format("--tol={}", tolerance));
    return parse(words);
}

} // namespace qcd

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

Words names_of(bool FieldFacts::*is_read)
{
    Words names;
    for (const Field<RunSpec>& f : run_fields())
        if (f.*is_read) names.push_back(f.name());
    return names;
}

/// Options alone. Throws Error where one is none of those that are read: those that print, read or
/// write are the program's.
RunSpec parse_options(std::string_view text, bool FieldFacts::*is_read)
{
    const Words known = names_of(is_read);
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
    return parse_run(words, known);
}

/// The lattice of a session that names none: it decides only how many workers are worth having.
constexpr const char* usual_lattice = "16x16x16x32";

} // namespace

RunSpec parse_session_options(std::string_view text)
{
    RunSpec s = parse_options(text, &FieldFacts::of_session);
    if (!s.problem.lattice()) s = with(std::move(s), "lattice", usual_lattice);
    return completed(s);
}

RunSpec parse_gauge_options(std::string_view text)
{
    return parse_options(text, &FieldFacts::of_gauge);
}
RunSpec parse_source_options(std::string_view text)
{
    return parse_options(text, &FieldFacts::of_source);
}

RunSpec parse_problem_options(std::string_view text, const Extents& extents, double kappa,
                              double mubar, double tolerance)
{
    require_lattice(extents, "extents");
    RunSpec s = parse_options(text, &FieldFacts::of_problem);
    s = with(std::move(s), "lattice", to_string(extents));
    s = with(std::move(s), "kappa", fmt::format("{}", kappa));
    s = with(std::move(s), "mubar", fmt::format("{}", mubar));
    if (tolerance != 0) s = with(std::move(s), "tol", fmt::format("{}", tolerance));
    require_possible(s, {});
    return s;
}

} // namespace qcd

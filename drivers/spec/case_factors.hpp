#pragma once
// What may vary from case to case of a comparison: options of a run, each with several values.

#include "drivers/spec/commands.hpp"

#include <span>
#include <string>
#include <string_view>

namespace qcd
{

struct FactorKind {
    const char *key, *type, *help; ///< key: an option of a run without dashes, or "workers"
    std::string_view old_key{};    ///< that means the same where it is read
    std::string option() const { return std::string("--") + key; }
    /// Names of the list's option, the first one as option() says.
    std::string names() const
    {
        return old_key.empty() ? option() : option() + ",--" + std::string(old_key);
    }
};

/// The kinds of lists and of columns, in the order in which names of cases have them.
std::span<const FactorKind> factor_kinds();

/// Reads a value as it is typed. Throws Error for nonsense; the key is one of the table's.
CaseValue case_value(const std::string& key, const std::string& text);

/// Factors of the lists that were typed, by key. Equal values are cases of their own: they show how
/// much two runs of one case differ. `all` of sched has no values.
std::vector<CaseFactor> case_factors(const std::map<std::string, std::string>& lists);

/// The cases of a file: comma-separated values as runs.csv has them, in the first line the keys of
/// some factors, then a case in each; what is left empty is chosen as `solve` chooses it. Throws
/// Error that names the line.
CaseTable read_cases(const std::string& file);

} // namespace qcd

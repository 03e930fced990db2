#pragma once
// What may vary from case to case of a comparison, one table for lists, files and help.

#include "drivers/cli/options.hpp"

#include <span>

namespace qcd::cli
{

using CaseSetter = std::function<void(SolveOptions&)>;

struct FactorKind {
    const char *option, *type, *meaning;
    CaseSetter (*setter)(const std::string& text); ///< throws Error for nonsense
    const char* key() const { return option + 2; } ///< without dashes
};

/// Of lists and of columns, in the order in which names of cases have them.
std::span<const FactorKind> factor_kinds();

/// As if it had been typed. Throws Error for nonsense; the key is one of the table's.
CaseValue case_value(const std::string& key, const std::string& text);

/// The cases of a file: comma-separated values as runs.csv has them, in the first line the keys of
/// some factors, then a case in each; what is left empty is chosen as `solve` chooses it. Throws
/// Error that names the line.
CaseTable read_cases(const std::string& file);

} // namespace qcd::cli

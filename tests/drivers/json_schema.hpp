#pragma once
// What --json writes against the schemas of docs/schema.

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace qcd::test
{

/// Is there python3-jsonschema? Says so loudly if not.
bool can_validate();

/// What is wrong with each document by the schema of a command, in a line; empty: nothing. Throws
/// where the validator does not run.
std::vector<std::string> faults(const std::string& command,
                                const std::vector<nlohmann::json>& documents);

/// A check that nothing is wrong; none without python3-jsonschema.
void check_valid(const std::string& command, const nlohmann::json& document);

/// A check that it is valid, and that nothing else than it would be: with a key more, without one,
/// or with a value of another kind.
void check_strict(const std::string& command, const nlohmann::json& document);

} // namespace qcd::test

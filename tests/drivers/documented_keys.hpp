#pragma once
// What README and docs/*.md say of --json, found by what the tables hold, wherever they stand.

#include <nlohmann/json.hpp>

#include <set>
#include <string>

namespace qcd::test
{

using Keys = std::set<std::string>;

/// README.md and docs/*.md.
const std::string& documentation();

Keys keys(const nlohmann::json& object);

/// Those of everything inside of it, too; but what `workers` hold is described once.
Keys all_keys(const nlohmann::json& value);

/// Of what `qcd_starpu COMMAND --json` writes: "solve", "bench", "info" or "apply".
Keys documented_keys(const std::string& command);

/// The names in the description of one of these keys, in the table of the command.
Keys documented_names(const std::string& command, const std::string& key);

} // namespace qcd::test

#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace qcd
{

/// Indented, as write_whole() does. Throws Error.
void write_json(const std::string& file, const nlohmann::ordered_json&);

} // namespace qcd

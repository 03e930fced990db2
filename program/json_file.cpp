#include "program/json_file.hpp"

#include "base/atomic_file.hpp"

#include <nlohmann/json.hpp>

#include <iostream>

namespace qcd
{

void write_json(const std::string& file, const nlohmann::ordered_json& json)
{
    // A file's name need not be UTF-8.
    const std::string text =
        json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    std::cout.flush(); // perhaps both go the same way
    write_whole(file, text);
}

} // namespace qcd

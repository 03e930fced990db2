// The rows of the command line, for callers that make an interface of them.
#include "api/qcd_starpu.h"
#include "drivers/spec/commands.hpp"

#include <nlohmann/json.hpp>

namespace
{

using Json = nlohmann::ordered_json;

Json readers_of(const qcd::FieldFacts& f)
{
    Json words = Json::array();
    if (f.of_session) words.push_back("session");
    if (f.of_problem || f.is_number_of_problem)
        words.push_back(f.group == "Problem" ? "operator" : "solve");
    if (f.of_gauge) words.push_back("gauge");
    if (f.of_source) words.push_back("source");
    return words;
}

Json json_of(const qcd::FieldFacts& f)
{
    Json names = Json::array();
    for (const std::string_view name : qcd::split(f.names, ',')) names.push_back(std::string(name));
    return {{"name", f.name()},
            {"names", names},
            {"group", f.group},
            {"help", f.help},
            {"type", f.type},
            {"default", f.default_text},
            {"advanced", f.audience == qcd::Audience::advanced},
            {"flag", f.is_flag},
            {"list", f.is_list},
            {"of", readers_of(f)}};
}

std::string made()
{
    Json commands = Json::object();
    for (const qcd::CommandFacts& c : qcd::command_facts()) {
        Json options = Json::array();
        for (const qcd::FieldFacts& f : c.options) options.push_back(json_of(f));
        commands[c.name] = {{"summary", c.summary}, {"options", options}};
    }
    return Json{{"commands", commands}}.dump();
}

} // namespace

const char* qcd_options()
{
    try {
        static const std::string text = made();
        return text.c_str();
    } catch (...) {
        return "";
    }
}

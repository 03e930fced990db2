#include "tests/drivers/documented_keys.hpp"

#include "tests/drivers/program.hpp"

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace qcd::test
{
namespace
{

/// A key that only the command's own table, or paragraph, has.
const std::map<std::string, std::string> key_of_command{{"solve", "residual_history"},
                                                        {"bench", "runtime_overhead"},
                                                        {"info", "missing"},
                                                        {"apply", "norm2_Dhat_even_psi"}};

using Lines = std::vector<std::string>;

Keys names_in(const std::string& text)
{
    Keys found;
    const std::regex name("`([A-Za-z0-9_]*[a-z][A-Za-z0-9_]*)`");
    for (std::sregex_iterator it(text.begin(), text.end(), name), end; it != end; ++it)
        found.insert((*it)[1]);
    return found;
}

bool is_table(const Lines& block) { return block.front().starts_with('|'); }

/// Where the description, the second column, begins.
std::size_t second_column(const std::string& row) { return row.find('|', 1); }

/// A table's first column; all of a paragraph.
Keys names_in(const Lines& block)
{
    Keys found;
    for (const std::string& line : block)
        found.merge(names_in(is_table(block) ? line.substr(0, second_column(line)) : line));
    return found;
}

/// What blank lines part.
const std::vector<Lines>& blocks()
{
    static const std::vector<Lines> all = [] {
        std::vector<Lines> b(1);
        std::istringstream text(documentation());
        for (std::string line; std::getline(text, line);)
            if (!line.empty())
                b.back().push_back(line);
            else if (!b.back().empty())
                b.emplace_back();
        if (b.back().empty()) b.pop_back();
        return b;
    }();
    return all;
}

/// Where its keys are documented: a table, else a paragraph.
std::vector<Lines>::const_iterator block_of(const std::string& command)
{
    const std::string& key = key_of_command.at(command);
    for (const bool table : {true, false}) {
        const auto found = std::find_if(blocks().begin(), blocks().end(), [&](const Lines& b) {
            return is_table(b) == table && names_in(b).contains(key);
        });
        if (found != blocks().end()) return found;
    }
    throw std::runtime_error("not documented: " + key);
}

const std::string& row_of(const std::string& command, const std::string& key)
{
    for (const std::string& row : *block_of(command))
        if (names_in(row.substr(0, second_column(row))).contains(key)) return row;
    throw std::runtime_error("not documented: " + key + " of " + command);
}

} // namespace

const std::string& documentation()
{
    static const std::string all = [] {
        const std::filesystem::path root = QCD_ROOT;
        std::vector<std::string> files;
        for (const auto& entry : std::filesystem::directory_iterator(root / "docs"))
            if (entry.path().extension() == ".md") files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        std::string text = read_text(root / "README.md");
        for (const std::string& file : files) text += "\n\n" + read_text(file);
        return text;
    }();
    return all;
}

Keys keys(const nlohmann::json& object)
{
    Keys found;
    for (const auto& [key, value] : object.items()) found.insert(key);
    return found;
}

Keys all_keys(const nlohmann::json& value)
{
    Keys found;
    if (value.is_object()) found = keys(value);
    if (value.is_structured())
        for (const auto& [key, inner] : value.items())
            if (key != "workers") found.merge(all_keys(inner));
    return found;
}

Keys documented_keys(const std::string& command)
{
    const auto block = block_of(command);
    Keys found = names_in(*block);
    // The paragraph above a table has the keys that need few words.
    if (is_table(*block) && block != blocks().begin() && !is_table(block[-1]))
        found.merge(names_in(block[-1]));
    if (command == "apply" && documentation().find("`lattice` to `source`") != std::string::npos)
        found.merge(names_in(row_of("solve", "lattice")));
    found.erase(command);
    return found;
}

Keys documented_names(const std::string& command, const std::string& key)
{
    const std::string& row = row_of(command, key);
    return names_in(row.substr(second_column(row)));
}

} // namespace qcd::test

#include "tests/drivers/json_schema.hpp"

#include "tests/scratch.hpp"

#include <catch2/catch.hpp>
#include <cstdio>
#include <sstream>
#include <sys/wait.h>

namespace qcd::test
{

namespace
{

using Json = nlohmann::json;
using Pointer = Json::json_pointer;

const std::string validator = QCD_ROOT "/tests/drivers/validate_json.py";
constexpr int nothing_wrong = 0, something_wrong = 1, no_validator = 77, no_python = 127;

struct Answer {
    int status = -1;
    std::string lines;
};

Answer validate(const std::string& command, const std::string& files)
{
    const std::string schema = QCD_ROOT "/docs/schema/" + command + ".schema.json";
    const std::string line = "'" + validator + "' '" + schema + "' " + files + " 2>&1";
    FILE* answer = popen(line.c_str(), "r");
    if (!answer) throw std::runtime_error("cannot start " + line);
    Answer a;
    char part[4096];
    while (const std::size_t n = std::fread(part, 1, sizeof part, answer)) a.lines.append(part, n);
    const int status = pclose(answer);
    if (WIFEXITED(status)) a.status = WEXITSTATUS(status);
    return a;
}

/// Places of objects in the document; of an array's elements the first stands for all.
std::vector<Pointer> objects_in(const Json& document, const Pointer& at = Pointer())
{
    std::vector<Pointer> found;
    const Json& j = document.at(at);
    const auto add = [&](const Pointer& inside) {
        for (const Pointer& p : objects_in(document, inside)) found.push_back(p);
    };
    if (j.is_array() && !j.empty()) add(at / std::size_t(0));
    if (j.is_object()) {
        found.push_back(at);
        for (const auto& item : j.items()) add(at / item.key());
    }
    return found;
}

struct Change {
    std::string what;
    Json document;
};

/// A key more, each key less, each value of another kind.
std::vector<Change> changes_of(const Json& document)
{
    std::vector<Change> all;
    const auto change = [&](const std::string& what) -> Json& {
        all.push_back({what, document});
        return all.back().document;
    };
    for (const Pointer& at : objects_in(document)) {
        change("more in " + at.to_string())[at]["no_such_key"] = 1;
        for (const auto& item : document.at(at).items()) {
            const Pointer key = at / item.key();
            change("without " + key.to_string())[at].erase(item.key());
            change("another " + key.to_string())[key] = Json{{"a", 1}};
        }
    }
    return all;
}

} // namespace

bool can_validate()
{
    static const Answer answer = validate("solve", "/dev/null");
    const bool starts = answer.status != no_python || !std::filesystem::exists(validator);
    if (starts && answer.status != no_validator) return true;
    WARN("SKIPPED: JSON against its schemas; " + answer.lines);
    return false;
}

std::vector<std::string> faults(const std::string& command,
                                const std::vector<nlohmann::json>& documents)
{
    const Scratch scratch;
    std::string files;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        const std::string file = scratch / std::to_string(i);
        write_text(file, documents[i].dump());
        files += " " + file;
    }
    const Answer answer = validate(command, files);
    if (answer.status != nothing_wrong && answer.status != something_wrong)
        throw std::runtime_error("validate_json.py: " + answer.lines);
    std::vector<std::string> found(documents.size());
    std::istringstream lines(answer.lines);
    const std::string before = scratch / "";
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(before)) throw std::runtime_error("validate_json.py: " + line);
        std::size_t length = 0;
        const std::string rest = line.substr(before.size());
        const std::size_t document = std::stoul(rest, &length);
        found.at(document) = rest.substr(length + 2); // after ": "
    }
    return found;
}

void check_valid(const std::string& command, const nlohmann::json& document)
{
    if (!can_validate()) return;
    INFO(command);
    CHECK(faults(command, {document}).front() == "");
}

void check_strict(const std::string& command, const Json& document)
{
    if (!can_validate()) return;
    check_valid(command, document);
    const std::vector<Change> changes = changes_of(document);
    std::vector<Json> documents;
    for (const Change& c : changes) documents.push_back(c.document);
    const std::vector<std::string> found = faults(command, documents);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        INFO(command << ": " << changes[i].what);
        CHECK_FALSE(found[i].empty());
    }
}

} // namespace qcd::test

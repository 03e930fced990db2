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

} // namespace qcd::test

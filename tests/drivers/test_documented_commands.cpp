// The commands that README.md and docs/ show are understood: their options exist, and go together.

#include "base/error.hpp"
#include "drivers/spec/commands.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

using namespace qcd;
namespace fs = std::filesystem;

namespace
{

struct Shown {
    std::string where, command;
};

std::vector<fs::path> documents()
{
    const fs::path root = QCD_ROOT;
    std::vector<fs::path> all;
    for (const fs::path& folder : {root, root / "docs", root / "docs/lab"})
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.path().extension() == ".md") all.push_back(entry.path());
    return all;
}

/// In blocks of code, which are indented; without what follows in a pipe or by '&&', and without
/// those that say '...' or [OPTIONAL] for what a reader puts there.
std::vector<Shown> commands_of(const fs::path& document)
{
    static const std::regex shown("^ {4,}(?:mpirun [^q]*)?(?:qcd_starpu|\\./bootstrap run) +(.*)$");
    static const std::regex end(" +(?:&&|\\||>|#|&).*$|\\?.*$");
    std::vector<Shown> all;
    std::istringstream lines(test::read_text(document));
    for (std::string line; std::getline(lines, line);) {
        for (std::string more; line.ends_with('\\') && std::getline(lines, more);)
            line.replace(line.size() - 1, 1, more);
        std::smatch found;
        if (!std::regex_match(line, found, shown)) continue;
        const std::string command = std::regex_replace(found[1].str(), end, "");
        if (command.find("...") == std::string::npos && command.find('[') == std::string::npos)
            all.push_back({document.filename(), command});
    }
    return all;
}

/// A folder where the files are that readers have.
class ReadersFolder
{
public:
    ReadersFolder() : back_(fs::current_path())
    {
        fs::current_path(scratch_.path());
        for (const char* file : {"conf.lime", "config.lime", "conf.openqcd", "FILE", "lws.json",
                                 "solve.ckpt", "vectors.lime"})
            test::write_text(file, "x");
        const fs::path root = QCD_ROOT;
        fs::copy(root / "docs/figures/compare-rerun-cases.csv", ".");
        fs::copy(root / "machines", "machines");
        fs::copy(root / "machines/two-cores.json", "gpu.json");
        test::write_text("cases.csv", "plan,sched,tiles,workers\nbatch,,,cpus:1x2\n");
        fs::create_directories("examples/scheduler");
        test::write_text("examples/scheduler/newest.so", "x");
    }
    ~ReadersFolder() { fs::current_path(back_); }

private:
    const test::Scratch scratch_;
    const fs::path back_;
};

/// N is a number of the reader's.
std::vector<std::string> arguments(const std::string& command)
{
    std::istringstream in(command);
    std::vector<std::string> all;
    for (std::string word; in >> word;) all.push_back(word == "N" ? "1" : word);
    return all;
}

} // namespace

TEST_CASE("commands in the documentation are understood")
{
    const ReadersFolder here;
    int count = 0;
    for (const fs::path& document : documents())
        for (const auto& [where, command] : commands_of(document)) {
            INFO(where << ": qcd_starpu " << command);
            CHECK_NOTHROW(parse(arguments(command)));
            ++count;
        }
    CHECK(count > 50);
}

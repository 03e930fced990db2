#include "tests/drivers/program.hpp"

#include "tests/required.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace qcd::test
{
namespace
{

std::vector<std::string> words(const std::string& line)
{
    std::istringstream in(line);
    return {std::istream_iterator<std::string>(in), {}};
}

/// In the child: never returns.
[[noreturn]] void become(std::vector<std::string> arguments,
                         const std::vector<std::string>& environment, const std::string& out,
                         const std::string& err)
{
    for (const std::string& e : environment) {
        const auto equals = e.find('=');
        if (equals == std::string::npos)
            unsetenv(e.c_str());
        else
            setenv(e.substr(0, equals).c_str(), e.substr(equals + 1).c_str(), 1);
    }
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    if (dup2(open(out.c_str(), flags, 0600), 1) < 0 || dup2(open(err.c_str(), flags, 0600), 2) < 0)
        _exit(126);
    std::vector<char*> argv;
    for (std::string& a : arguments) argv.push_back(a.data());
    argv.push_back(nullptr);
    std::signal(SIGINT, SIG_DFL); // shells have it ignored in the background
    execvp(argv[0], argv.data());
    _exit(127);
}

} // namespace

/// The built one, or another's of the same build.
std::string program()
{
    const char* moved = std::getenv("QCD_STARPU_PROGRAM");
    return moved ? moved : QCD_STARPU_PROGRAM;
}

Program::Program(const std::string& arguments, const std::string& environment,
                 const std::string& launcher)
{
    std::vector<std::string> argv = words(launcher);
    argv.push_back(program());
    for (const std::string& word : words(arguments)) argv.push_back(word);
    argv.insert(argv.end(), {"--json", scratch_ / "json"});
    child_ = fork();
    if (child_ < 0) throw std::runtime_error("fork failed");
    if (child_ == 0)
        become(argv, words("STARPU_SILENT=1 " + environment), scratch_ / "out", scratch_ / "err");
}

Program::~Program()
{
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
}

void Program::interrupt() { send(SIGINT); }

void Program::send(int signal) { kill(child_, signal); }

double Program::seconds_computed() const
{
    // Fields 14 and 15, user and system time in ticks; the second, the name, ends at the last ')'.
    const std::string stat = read_text("/proc/" + std::to_string(child_) + "/stat");
    std::istringstream fields(stat.substr(stat.rfind(')') + 1));
    std::string skipped;
    for (int i = 3; i < 14; ++i) fields >> skipped;
    double user = 0, system = 0;
    fields >> user >> system;
    return (user + system) / double(sysconf(_SC_CLK_TCK));
}

void Program::wait_until_printed(const std::string& text) const
{
    wait_until([&] { return read_text(out_file()).find(text) != std::string::npos; });
}

void Program::wait_until_computed() const
{
    const double before = seconds_computed();
    wait_until([&] { return seconds_computed() > before + 1; });
}

void wait_until(const std::function<bool()>& happened)
{
    for (int i = 0; i < 24000; ++i) {
        if (happened()) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    throw std::runtime_error("what was waited for has not happened in two minutes");
}

Outcome Program::wait(double seconds)
{
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    int status = 0;
    rusage used{};
    while (wait4(child_, &status, WNOHANG, &used) == 0) {
        if (Clock::now() > end) kill(child_, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    child_ = 0;
    Outcome o{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
              read_text(out_file()),
              read_text(scratch_ / "err"),
              {},
              used.ru_maxrss << 10};
    if (const std::string text = read_text(scratch_ / "json"); !text.empty())
        o.json = nlohmann::json::parse(text);
    return o;
}

Outcome run(const std::string& arguments, const std::string& environment)
{
    return Program(arguments, environment).wait();
}

bool works(const std::string& kind, const std::string& workers)
{
    const Outcome o = run("--lattice 4x4x4x4 " + workers);
    if (o.status == 0) return true;
    const std::string said = "no such worker: " + o.err;
    if (required(kind)) FAIL(said);
    std::cerr << "SKIPPED: " << kind << ", " << said << '\n';
    return false;
}

nlohmann::json solve(const std::string& arguments, const std::string& environment, int status)
{
    const Outcome o = run(arguments + " --quiet", environment);
    INFO(environment << " qcd_starpu " << arguments << "\n" << o.err);
    REQUIRE(o.status == status);
    REQUIRE(o.json.is_object());
    CHECK(o.out.empty());
    CHECK(o.err.empty());
    return o.json;
}

} // namespace qcd::test

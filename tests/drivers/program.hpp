#pragma once
// The built qcd_starpu as a user runs it: a child process with files for its output.

#include "tests/scratch.hpp"

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/types.h>
#include <vector>

namespace qcd::test
{

struct Outcome {
    int status = -1; ///< exit status; 128 + signal if one ended it
    std::string out, err;
    nlohmann::json json; ///< null if none was written
    long peak_bytes = 0; ///< of its memory
};

/// qcd_starpu (the built one, or $QCD_STARPU_PROGRAM) with arguments split at blanks and
/// `--json FILE` added. The environment, split likewise: NAME=VALUE sets one, NAME alone unsets it.
/// A launcher, split likewise, starts it; what is done to the child is done to the launcher then.
class Program
{
public:
    explicit Program(const std::string& arguments, const std::string& environment = "",
                     const std::string& launcher = "");
    ~Program(); ///< kills a child that still runs

    void interrupt(); ///< Ctrl-C
    void send(int signal);
    std::string out_file() const { return scratch_ / "out"; }
    pid_t process() const { return child_; }
    /// Processor time so far, of all threads, in seconds; without what its own children use.
    double seconds_computed() const;
    /// Until its output holds this text.
    void wait_until_printed(const std::string& text) const;
    /// Until it has used a second more of processor time, so that it is in the midst of its work.
    void wait_until_computed() const;
    /// Waits, at most so many seconds: then the child is killed and the status is 128 + SIGKILL.
    Outcome wait(double seconds = 120);

private:
    Scratch scratch_;
    pid_t child_ = 0;
};

/// Polls until it has happened; throws, so that the test fails, after two minutes.
void wait_until(const std::function<bool()>& happened);

/// The program's file.
std::string program();

Outcome run(const std::string& arguments, const std::string& environment = "");

/// Can a run have these workers ("--cpus 0 --cuda 1")? A missing kind fails where QCD_REQUIRE names
/// it and is loudly left out elsewhere.
bool works(const std::string& kind, const std::string& workers);

/// The JSON of a run that must end with this status.
nlohmann::json solve(const std::string& arguments, const std::string& environment = "",
                     int status = 0);

} // namespace qcd::test

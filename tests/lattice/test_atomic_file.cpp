#include "base/atomic_file.hpp"

#include "base/error.hpp"
#include "lattice/files/gauge_writer.hpp"
#include "tests/lattice/made_files.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace qcd;
using namespace qcd::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace
{

constexpr Extents lattice{2, 2, 2, 2};

std::size_t files_in(const Scratch& folder)
{
    return std::distance(fs::directory_iterator(folder.path()), {});
}

/// As long as it lives, writing beyond so many bytes of a file fails, as on a full disk.
class SmallFilesOnly
{
public:
    explicit SmallFilesOnly(rlim_t bytes)
    {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit small{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        // The program ignores this signal in main(); here it would end the tests.
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
    }
    ~SmallFilesOnly()
    {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    rlimit before_{};
    void (*handler_)(int);
};

enum class Attempt { opened, permission_denied, other_error, still_root };

/// Opens the file in a child process, which gives root's rights up: root may write everything.
Attempt open_without_privileges(const std::string& path)
{
    constexpr uid_t nobody = 65534;
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        Attempt attempt = Attempt::opened;
        if (geteuid() == 0 && setuid(nobody) != 0) _exit(int(Attempt::still_root));
        try {
            AtomicFile file(path);
        } catch (const Error& error) {
            const std::string line = error.what();
            attempt = line == path + ": cannot write: Permission denied"
                          ? Attempt::permission_denied
                          : Attempt::other_error;
        }
        _exit(int(attempt));
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    return Attempt(WEXITSTATUS(status));
}

} // namespace

TEST_CASE("an abandoned write leaves the old file and no other", "[atomic]")
{
    const Scratch folder;
    const std::string path = folder / GENERATE("f.nersc", "f.lime");
    write_text(path, "old");
    const Field field = load_spec("unit", lattice);
    {
        const auto writer = make_gauge_writer(path, lattice);
        writer->write_slice(0, std::span(field.links).first(field.links.size() / 2));
        CHECK(files_in(folder) == 2);
        CHECK_THROWS_WITH(writer->finish(field.observables), Contains("1 of 2 time slices"));
        CHECK(read_text(path) == "old");
    }
    CHECK(read_text(path) == "old");
    CHECK(files_in(folder) == 1);
}

TEST_CASE("a finished write replaces the old file", "[atomic]")
{
    const Scratch folder;
    const std::string path = folder / "f";
    write_text(path, "old");
    {
        AtomicFile file(path);
        const std::string text = "new text";
        file.append(std::as_bytes(std::span(text)));
        file.overwrite(0, std::as_bytes(std::span(text)).subspan(4, 3));
        CHECK(read_text(path) == "old");
        file.commit();
    }
    CHECK(read_text(path) == "tex text");
    CHECK(files_in(folder) == 1);
}

namespace
{

/// The temporary file of another process, which is killed, or is alive until it is waited for.
class OtherWriter
{
public:
    explicit OtherWriter(const std::string& path)
    {
        int ends[2];
        REQUIRE(pipe(ends) == 0);
        child_ = fork();
        REQUIRE(child_ >= 0);
        if (child_ == 0) {
            const AtomicFile file(path);
            if (write(ends[1], "x", 1) == 1) pause();
            _exit(0);
        }
        char made = 0;
        REQUIRE(read(ends[0], &made, 1) == 1);
        for (const int end : ends) close(end);
    }
    ~OtherWriter() { end(); }
    void end()
    {
        if (child_ <= 0) return;
        kill(child_, SIGKILL);
        waitpid(child_, nullptr, 0);
        child_ = 0;
    }

private:
    pid_t child_ = 0;
};

} // namespace

TEST_CASE("what a killed process left is removed by the next one that writes there", "[atomic]")
{
    const Scratch folder;
    OtherWriter other(folder / "f");
    REQUIRE(files_in(folder) == 1);
    {
        const AtomicFile mine(folder / "g"), second(folder / "f");
        CHECK(files_in(folder) == 3); // nobody's that lives
    }
    CHECK(files_in(folder) == 1);
    const std::string left = fs::directory_iterator(folder.path())->path();
    other.end();
    CHECK(fs::exists(left));
    // Names that are not, or not from here.
    const std::string host = left.substr(0, left.find(".qcd-") + 5);
    const std::vector<std::string> others = {left + "x", left + ".1", host + "0.1.0",
                                             folder / "f.tmp.1.0"};
    for (const std::string& name : others) write_text(name, "x");
    fs::create_symlink("nowhere", left.substr(0, left.rfind('.')) + ".77");
    {
        const AtomicFile mine(folder / "g");
        CHECK_FALSE(fs::exists(left));
    }
    CHECK(files_in(folder) == others.size() + 1);
}

TEST_CASE("what cannot be moved into place is kept", "[atomic]")
{
    const Scratch folder;
    AtomicFile file(folder / "f");
    file.append(std::as_bytes(std::span("new", 3)));
    fs::create_directory(folder / "f");
    const std::string kept = (folder / "f.kept.") + std::to_string(getpid());
    CHECK_THROWS_WITH(file.commit(), Contains("what was to be written is in " + kept));
    AtomicFile another(folder / "g");
    CHECK(read_text(kept) == "new");
}

TEST_CASE("a symbolic link stays one", "[atomic]")
{
    const Scratch folder;
    write_text(folder / "target", "old");
    fs::create_symlink("target", folder / "link");
    AtomicFile file(folder / "link");
    file.append(std::as_bytes(std::span("new", 3)));
    file.commit();
    CHECK(fs::is_symlink(folder / "link"));
    CHECK(read_text(folder / "target") == "new");
}

TEST_CASE("a symbolic link to what is not there yet is followed", "[atomic]")
{
    const Scratch folder;
    fs::create_directory(folder / "far");
    fs::create_symlink("../target", folder / "far/relative");
    fs::create_symlink(folder / "far/relative", folder / "absolute");
    fs::create_symlink("absolute", folder / "link");
    AtomicFile file(folder / "link");
    file.append(std::as_bytes(std::span("new", 3)));
    file.commit();
    for (const char* name : {"link", "absolute", "far/relative"})
        CHECK(fs::is_symlink(folder / name));
    CHECK(read_text(folder / "target") == "new");
}

TEST_CASE("symbolic links that lead nowhere are refused", "[atomic]")
{
    const Scratch folder;
    fs::create_symlink("b", folder / "a");
    fs::create_symlink("a", folder / "b");
    CHECK_THROWS_WITH(AtomicFile(folder / "a"), Contains("a: cannot write: Too many levels"));
    fs::create_symlink("none/f", folder / "c");
    CHECK_THROWS_WITH(AtomicFile(folder / "c"), Contains("none/f: cannot write: No such file"));
    CHECK(files_in(folder) == 3);
}

TEST_CASE("the new file has the old one's permissions", "[atomic]")
{
    const Scratch folder;
    const std::string path = folder / "f";
    write_text(path, "old");
    const auto mode = fs::perms(GENERATE(0600, 0640, 0666, 0755));
    fs::permissions(path, mode);
    AtomicFile file(path);
    for (const auto& entry : fs::directory_iterator(folder.path()))
        if (entry.path() != path) CHECK(entry.status().permissions() == fs::perms(0600));
    file.append(std::as_bytes(std::span("new", 3)));
    file.commit();
    CHECK(read_text(path) == "new");
    CHECK(fs::status(path).permissions() == mode);
}

TEST_CASE("a new file has the permissions that the user's mask leaves", "[atomic]")
{
    const Scratch folder;
    const mode_t before = umask(027);
    AtomicFile file(folder / "f");
    umask(before);
    file.commit();
    CHECK(fs::status(folder / "f").permissions() == fs::perms(0640));
}

TEST_CASE("a write-protected file is not replaced", "[atomic]")
{
    const Scratch folder;
    const std::string path = folder / "f";
    write_text(path, "old");
    fs::permissions(folder.path(), fs::perms(0777));
    fs::permissions(path, fs::perms(0666));
    const Attempt writable = open_without_privileges(path);
    if (writable == Attempt::still_root) {
        WARN("SKIPPED: a write-protected file: root could not become another user");
        return;
    }
    CHECK(writable == Attempt::opened);
    fs::permissions(path, fs::perms(0444));
    CHECK(open_without_privileges(path) == Attempt::permission_denied);
    CHECK(read_text(path) == "old");
    CHECK(files_in(folder) == 1);
}

TEST_CASE("what cannot be written is refused at once", "[atomic]")
{
    const Scratch folder;
    CHECK_THROWS_WITH(make_gauge_writer(folder.path(), lattice), Contains("not a regular file"));
    CHECK_THROWS_WITH(make_gauge_writer("/dev/null", lattice), Contains("not a regular file"));
    CHECK_THROWS_WITH(make_gauge_writer("", lattice), Contains("not a regular file"));
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const std::string pipe_name = "/proc/self/fd/" + std::to_string(ends[1]);
    CHECK_THROWS_WITH(make_gauge_writer(pipe_name, lattice), Contains("not a regular file"));
    for (const int end : ends) close(end);
    CHECK_THROWS_WITH(make_gauge_writer(folder / "none/f", lattice), Contains("No such file"));
    CHECK(files_in(folder) == 0);
}

TEST_CASE("a write that fails leaves the old file", "[atomic]")
{
    const Scratch folder;
    write_text(folder / "f", "old");
    const Field field = load_spec("unit", lattice);
    std::string message;
    {
        const SmallFilesOnly limit(2000); // the header fits, the links do not
        try {
            const auto writer = make_gauge_writer(folder / "f", lattice);
            writer->write_slice(0, std::span(field.links).first(field.links.size() / 2));
        } catch (const Error& error) {
            message = error.what();
        }
    }
    CHECK_THAT(message, Contains("f: cannot write: File too large"));
    CHECK(read_text(folder / "f") == "old");
    CHECK(files_in(folder) == 1);
}

TEST_CASE("slices must be written complete and in order", "[atomic]")
{
    const Scratch folder;
    const auto writer = make_gauge_writer(folder / "f", lattice);
    const Field field = load_spec("unit", lattice);
    const std::span half = std::span(field.links).first(field.links.size() / 2);
    CHECK_THROWS_WITH(writer->write_slice(1, half), Contains("expected slice 0"));
    CHECK_THROWS_WITH(writer->write_slice(0, half.first(72)), Contains("of 72 reals"));
}

namespace
{

void write_text_whole(const std::string& path, const std::string& text)
{
    write_whole(path, std::as_bytes(std::span(text)));
}

/// All that comes out of a descriptor until its end; closes it.
std::string drained(int descriptor)
{
    std::string text;
    char bytes[4096];
    for (ssize_t n; (n = read(descriptor, bytes, sizeof bytes)) > 0;) text.append(bytes, n);
    close(descriptor);
    return text;
}

const std::string longer_than_a_pipe(300000, 'x');

} // namespace

TEST_CASE("what is no file gets its bytes straight", "[atomic]")
{
    const Scratch folder;
    write_text_whole("/dev/null", "text");
    CHECK(fs::is_character_file("/dev/null"));
    CHECK_THROWS_WITH(write_text_whole("/dev/full", "text"),
                      "/dev/full: cannot write: No space left on device");
    write_text_whole(folder / "f", "text");
    CHECK(read_text(folder / "f") == "text");

    REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
    fs::create_symlink("pipe", folder / "link");
    std::string found;
    std::thread reader([&] { found = drained(open((folder / "link").c_str(), O_RDONLY)); });
    write_text_whole(folder / "link", longer_than_a_pipe);
    reader.join();
    CHECK(found == longer_than_a_pipe);
    CHECK(files_in(folder) == 3);
}

TEST_CASE("an open descriptor gets its bytes where it stands", "[atomic]")
{
    CHECK(own_descriptor("-") == 1);
    CHECK(own_descriptor("/dev/stdout") == 1);
    CHECK(own_descriptor("/dev/fd/2") == 2);
    CHECK(own_descriptor("/proc/self/fd/17") == 17);
    const Scratch folder;
    fs::create_symlink("/dev/fd/5", folder / "link");
    CHECK(own_descriptor(folder / "link") == 5);
    fs::create_symlink("circle", folder / "circle");
    for (const std::string& file : {folder / "f", folder / "circle", std::string("/dev/null")})
        CHECK_FALSE(own_descriptor(file));

    write_text(folder / "f", "before ");
    const int file = open((folder / "f").c_str(), O_WRONLY | O_APPEND);
    write_text_whole("/dev/fd/" + std::to_string(file), "after");
    close(file);
    CHECK(read_text(folder / "f") == "before after");

    for (const int flags : {0, O_NONBLOCK}) {
        int ends[2];
        REQUIRE(pipe2(ends, flags) == 0);
        fcntl(ends[0], F_SETFL, 0);
        std::string found;
        std::thread reader([&] { found = drained(ends[0]); });
        write_text_whole("/dev/fd/" + std::to_string(ends[1]), longer_than_a_pipe);
        close(ends[1]);
        reader.join();
        CHECK(found == longer_than_a_pipe);
    }
}

TEST_CASE("a pipe whose reader is gone is an error", "[atomic]")
{
    const auto before = std::signal(SIGPIPE, SIG_IGN); // as the program does
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    close(ends[0]);
    const std::string path = "/dev/fd/" + std::to_string(ends[1]);
    CHECK_THROWS_WITH(write_text_whole(path, "text"), path + ": cannot write: Broken pipe");
    close(ends[1]);
    std::signal(SIGPIPE, before);
}

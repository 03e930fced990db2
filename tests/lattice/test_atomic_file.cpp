#include "lattice/atomic_file.hpp"

#include "lattice/error.hpp"
#include "lattice/gauge_writer.hpp"
#include "tests/lattice/made_files.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <filesystem>
#include <sys/resource.h>

using namespace qcd;
using namespace qcd::test;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace
{

constexpr Extents lattice{2, 2, 2, 2};

std::size_t files_in(const TemporaryFolder& folder)
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

} // namespace

TEST_CASE("an abandoned write leaves the old file and no other", "[atomic]")
{
    const TemporaryFolder folder;
    const std::string path = folder.file(GENERATE("f.nersc", "f.lime"));
    write_whole_file(path, "old");
    const Field field = load_spec("unit", lattice);
    {
        const auto writer = make_gauge_writer(path, lattice);
        writer->write_slice(0, std::span(field.links).first(field.links.size() / 2));
        CHECK(files_in(folder) == 2);
        CHECK_THROWS_WITH(writer->finish(field.observables), Contains("1 of 2 time slices"));
        CHECK(read_whole_file(path) == "old");
    }
    CHECK(read_whole_file(path) == "old");
    CHECK(files_in(folder) == 1);
}

TEST_CASE("a finished write replaces the old file", "[atomic]")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("f");
    write_whole_file(path, "old");
    {
        AtomicFile file(path);
        const std::string text = "new text";
        file.append(std::as_bytes(std::span(text)));
        file.overwrite(0, std::as_bytes(std::span(text)).subspan(4, 3));
        CHECK(read_whole_file(path) == "old");
        file.commit();
    }
    CHECK(read_whole_file(path) == "tex text");
    CHECK(files_in(folder) == 1);
}

TEST_CASE("a symbolic link stays one", "[atomic]")
{
    const TemporaryFolder folder;
    write_whole_file(folder.file("target"), "old");
    fs::create_symlink("target", folder.file("link"));
    AtomicFile file(folder.file("link"));
    file.append(std::as_bytes(std::span("new", 3)));
    file.commit();
    CHECK(fs::is_symlink(folder.file("link")));
    CHECK(read_whole_file(folder.file("target")) == "new");
}

TEST_CASE("what cannot be written is refused at once", "[atomic]")
{
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(make_gauge_writer(folder.path(), lattice), Contains("not a regular file"));
    CHECK_THROWS_WITH(make_gauge_writer("/dev/null", lattice), Contains("not a regular file"));
    CHECK_THROWS_WITH(make_gauge_writer("", lattice), Contains("not a regular file"));
    CHECK_THROWS_WITH(make_gauge_writer(folder.file("none/f"), lattice), Contains("No such file"));
    CHECK(files_in(folder) == 0);
}

TEST_CASE("a write that fails leaves the old file", "[atomic]")
{
    const TemporaryFolder folder;
    write_whole_file(folder.file("f"), "old");
    const Field field = load_spec("unit", lattice);
    std::string message;
    {
        const SmallFilesOnly limit(2000); // the header fits, the links do not
        try {
            const auto writer = make_gauge_writer(folder.file("f"), lattice);
            writer->write_slice(0, std::span(field.links).first(field.links.size() / 2));
        } catch (const Error& error) {
            message = error.what();
        }
    }
    CHECK_THAT(message, Contains("f: cannot write: File too large"));
    CHECK(read_whole_file(folder.file("f")) == "old");
    CHECK(files_in(folder) == 1);
}

TEST_CASE("slices must be written complete and in order", "[atomic]")
{
    const TemporaryFolder folder;
    const auto writer = make_gauge_writer(folder.file("f"), lattice);
    const Field field = load_spec("unit", lattice);
    const std::span half = std::span(field.links).first(field.links.size() / 2);
    CHECK_THROWS_WITH(writer->write_slice(1, half), Contains("expected slice 0"));
    CHECK_THROWS_WITH(writer->write_slice(0, half.first(72)), Contains("of 72 reals"));
}

#include "base/own_folder.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace qcd;
using namespace qcd::test;
using Catch::Contains;
namespace fs = std::filesystem;

TEST_CASE("a folder is free where it is not there, or nothing of anybody's is in it")
{
    const Scratch scratch;
    CHECK_NOTHROW(require_free_folder("--out", scratch / "none", "mark"));
    const fs::path folder = scratch / "folder";
    fs::create_directory(folder);
    CHECK_NOTHROW(require_free_folder("--out", folder, "mark"));
    {
        const AtomicFile left(folder / "a.csv");
        CHECK_NOTHROW(require_free_folder("--out", folder, "mark"));
    }
    const auto is_left = [](const fs::path& p) { return p.filename() == "unfinished"; };
    fs::create_directory(folder / "unfinished");
    CHECK_NOTHROW(require_free_folder("--out", folder, "mark", is_left));
    for (const char* name : {"a.csv", ".hidden", "a.qcd-1.2", "a.qcd-0123456g.1.2"}) {
        INFO(name);
        write_text(folder / name, "x");
        try {
            require_free_folder("--out", folder, "mark", is_left);
            FAIL("accepted");
        } catch (const Error& e) {
            const std::string line = e.what();
            CHECK(line == "--out: '" + folder.string() +
                              "' has files in it, and no mark: name an empty folder, or one that "
                              "is not there");
        }
        fs::remove(folder / name);
    }
    write_text(scratch / "file", "x");
    CHECK_THROWS_AS(require_free_folder("--out", scratch / "file", "mark"), Error);
}

TEST_CASE("folders that were made go again, unless something is in them")
{
    const Scratch scratch;
    const fs::path outer = scratch / "a", inner = outer / "b/c";
    {
        const NewFolders made("--out", inner);
        CHECK(fs::is_directory(inner));
    }
    CHECK_FALSE(fs::exists(outer));
    {
        const NewFolders made("--out", inner);
        write_text(outer / "b/file", "x");
    }
    CHECK_FALSE(fs::exists(inner));
    CHECK(fs::exists(outer / "b/file"));
    fs::create_directory(inner);
    {
        const NewFolders made("--out", inner);
    }
    CHECK(fs::is_directory(inner)); // it was there before

    // What is in the way stays, and nothing is left of the attempt.
    fs::create_symlink("nowhere", scratch / "link");
    CHECK_THROWS_WITH(NewFolders("--out", scratch / "link"), Contains("cannot make the folder"));
    CHECK(fs::is_symlink(scratch / "link"));
    CHECK_THROWS_WITH(NewFolders("--out", outer / "b/file/d"), Contains("cannot make the folder"));
    CHECK(read_text(outer / "b/file") == "x");
}

#include "program/cli/argument_checks.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace qcd::cli
{

namespace
{

void check_parent(const std::string& option, const fs::path& path)
{
    std::error_code none;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, none))
        throw Error("{}: there is no folder {}", option, qcd::quoted(folder.string()));
    if (access(folder.c_str(), W_OK | X_OK) != 0)
        throw Error("{}: no permission to write in {}", option, qcd::quoted(folder.string()));
}

std::optional<struct stat> status_of(const std::string& path)
{
    struct stat there {
    };
    const std::optional<int> descriptor = own_descriptor(path);
    const int failed = descriptor ? fstat(*descriptor, &there) : stat(path.c_str(), &there);
    return failed ? std::nullopt : std::optional(there);
}

/// One file or folder, by whatever links, or one that both would make.
bool are_one(const std::string& a, const std::string& b)
{
    const auto x = status_of(a), y = status_of(b);
    if (x && y)
        return x->st_dev == y->st_dev && x->st_ino == y->st_ino &&
               (S_ISREG(x->st_mode) || S_ISDIR(x->st_mode));
    if (x || y) return false;
    std::error_code none;
    const auto name = [&](const std::string& path) {
        return fs::weakly_canonical(fs::absolute(followed(path)), none);
    };
    return name(a) == name(b);
}

} // namespace

CLI::Validator whole(long low, long high)
{
    const auto check = [low, high](std::string& text) {
        const std::optional<long> n = parse_number<long>(text);
        if (n && *n >= low && *n <= high) {
            text = std::to_string(*n); // 010 is ten, not eight
            return std::string();
        }
        return fmt::format("{} is not a whole number from {} to {}", qcd::quoted(text), low, high);
    };
    return CLI::Validator(check, "");
}

CLI::Validator real(std::function<bool(double)> good, const std::string& must)
{
    const auto check = [good = std::move(good), must](std::string& text) {
        const std::optional<double> x = parse_number<double>(text);
        if (x && std::isfinite(*x) && good(*x)) return std::string();
        return fmt::format("{} is not {}", qcd::quoted(text), must);
    };
    return CLI::Validator(check, "");
}

CLI::Validator true_or_false()
{
    const auto check = [](std::string& text) {
        for (const char* word : {"true", "false", "on", "off", "yes", "no", "1", "0"})
            if (text == word) return std::string();
        return fmt::format("{} is neither true nor false", qcd::quoted(text));
    };
    return CLI::Validator(check, "");
}

std::string short_text(std::istream& in, const std::string& option, const std::string& file,
                       std::string_view what)
{
    constexpr std::size_t longest = 1 << 20;
    std::string text(longest + 1, '\0');
    text.resize(std::size_t(in.read(text.data(), std::streamsize(text.size())).gcount()));
    if (text.size() > longest)
        throw Error("{}: {} is longer than {} is", option, qcd::quoted(file), what);
    const std::size_t zero = text.find('\0');
    if (zero != text.npos)
        throw Error("{}: {}, line {}: a byte 0: it is no text, or one in UTF-16", option,
                    qcd::quoted(file),
                    1 + std::count(text.begin(), text.begin() + long(zero), '\n'));
    constexpr std::string_view byte_order_mark("\xef\xbb\xbf");
    return text.starts_with(byte_order_mark) ? text.substr(byte_order_mark.size()) : text;
}

namespace
{

/// What it is that is there and is no regular file.
const char* kind_of(const std::string& file)
{
    std::error_code none;
    const fs::file_type type = fs::status(file, none).type();
    return type == fs::file_type::directory ? "a folder, not a file"
           : type == fs::file_type::fifo    ? "a pipe, not a file"
                                            : "not a file";
}

} // namespace

void check_readable(const std::string& option, const std::string& file)
{
    std::error_code none;
    if (!fs::exists(file, none)) throw Error("{}: there is no file {}", option, qcd::quoted(file));
    if (!fs::is_regular_file(file, none))
        throw Error("{}: {} is {}", option, qcd::quoted(file), kind_of(file));
    if (access(file.c_str(), R_OK) != 0)
        throw Error("{}: no permission to read {}", option, qcd::quoted(file));
}

void check_writable(const std::string& option, const std::string& file)
{
    std::error_code none;
    if (fs::path(file).filename().empty() || own_descriptor(file) ||
        (fs::exists(file, none) && !fs::is_regular_file(file, none)))
        throw Error("{}: {} is {} that can be written", option, qcd::quoted(file),
                    fs::is_directory(file, none) ? "a folder, and not a file" : "not a file");
    if (fs::exists(file, none) && access(file.c_str(), W_OK) != 0)
        throw Error("{}: no permission to write {}", option, qcd::quoted(file));
    check_parent(option, followed(file));
    AtomicFile begun(file); // a name too long, a file system that cannot be written
}

void check_output(const std::string& option, const std::string& file)
{
    if (const std::optional<int> descriptor = own_descriptor(file)) {
        const int flags = fcntl(*descriptor, F_GETFL);
        if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
            throw Error("{}: {} is not open for writing", option, qcd::quoted(file));
        return;
    }
    std::error_code none;
    const fs::file_status there = fs::status(file, none);
    if (!fs::is_fifo(there) && !fs::is_character_file(there)) return check_writable(option, file);
    if (access(file.c_str(), W_OK) != 0)
        throw Error("{}: no permission to write {}", option, qcd::quoted(file));
    if (fs::is_fifo(there)) return; // opened now, it would have to have a reader
    const int device = open(file.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (device < 0)
        throw Error("{}: cannot write {}: {}", option, qcd::quoted(file), std::strerror(errno));
    close(device);
}

void check_different(const OptionFiles& files)
{
    for (std::size_t i = 0; i < files.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const auto& [option, file] = files[i];
            const auto& [earlier_option, earlier] = files[j];
            const bool both = !file.empty() && !earlier.empty() && option != earlier_option;
            if (!both || !are_one(earlier, file)) continue;
            throw Error("{}, {}: {} would be replaced{}", earlier_option, option,
                        qcd::quoted(earlier),
                        file == earlier ? "" : fmt::format(" ({} is the same)", qcd::quoted(file)));
        }
}

void check_folder(const std::string& option, const std::string& folder)
{
    std::error_code none;
    if (folder.empty()) throw Error("{}: empty", option);
    fs::path there = fs::absolute(folder);
    while (!fs::exists(fs::symlink_status(there, none)) && there.has_relative_path())
        there = there.parent_path();
    if (!fs::is_directory(there, none))
        throw Error("{}: {} is not a folder", option,
                    qcd::quoted(there == fs::absolute(folder) ? folder : there.string()));
    check_parent(option, there / "inside");
}

} // namespace qcd::cli

#include "base/atomic_file.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace fs = std::filesystem;

namespace qcd
{

namespace
{

constexpr mode_t permissions = 0777;
constexpr int most_links = 40; // one after the other, as in Linux

fs::path target_of(const fs::path& link)
{
    std::error_code ignored;
    return link.parent_path() / fs::read_symlink(link, ignored); // an absolute one replaces all
}

fs::path folder_of(const fs::path& file)
{
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// Makes a rename in this folder durable. Some file systems cannot: not an error.
void sync_folder(const fs::path& file)
{
    const int descriptor = open(folder_of(file).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    fsync(descriptor);
    close(descriptor);
}

struct Descriptor {
    const int number;
    ~Descriptor()
    {
        if (number >= 0) close(number);
    }
};

constexpr std::string_view mark_begin = ".qcd-";

/// What names of temporary files of this program on this machine have in their middle; behind it
/// are the process and a number. Processes of other machines may be alive for all that is known.
const std::string& mark()
{
    static const std::string text = [] {
        char host[256] = "";
        gethostname(host, sizeof host - 1);
        return fmt::format("{}{:08x}.", mark_begin, std::hash<std::string>{}(host)&0xffffffff);
    }();
    return text;
}

/// The process that made a temporary file of this name.
std::optional<pid_t> maker_of(const std::string& name)
{
    const std::size_t at = name.rfind(mark());
    if (at == std::string::npos) return std::nullopt;
    const auto numbers = split(std::string_view(name).substr(at + mark().size()), '.');
    if (numbers.size() != 2 || !parse_number<int>(numbers[1])) return std::nullopt;
    return parse_number<pid_t>(numbers[0]);
}

/// Until the process ends, however it does. Where there are no locks nothing is ever removed.
bool lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

/// Removes files of killed processes: nobody holds their lock, nor is about to. It uses readdir(),
/// as libstdc++'s iterator ends a process that has no memory left.
void remove_leftovers(const fs::path& folder)
{
    const auto close_it = [](DIR* d) { closedir(d); };
    const std::unique_ptr<DIR, decltype(close_it)> entries(opendir(folder.c_str()));
    while (const dirent* const entry = entries ? readdir(entries.get()) : nullptr) {
        const auto maker = maker_of(entry->d_name);
        if (!maker || (*maker != getpid() && kill(*maker, 0) == 0)) continue;
        const fs::path path = folder / entry->d_name;
        const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
        const Descriptor left{open(path.c_str(), flags)};
        struct stat file {
        };
        if (left.number >= 0 && fstat(left.number, &file) == 0 && S_ISREG(file.st_mode) &&
            file.st_uid == geteuid() && lock(left.number))
            unlink(path.c_str());
    }
}

Error cannot_write(const std::string& name)
{
    return Error("{}: cannot write: {}", name, std::strerror(errno));
}

void write_straight(int descriptor, std::span<const std::byte> bytes, const std::string& name)
{
    while (!bytes.empty()) {
        const ssize_t written = write(descriptor, bytes.data(), bytes.size());
        if (written >= 0) {
            bytes = bytes.subspan(written);
        } else if (errno == EAGAIN) { // whoever shares it made it so
            pollfd ready{descriptor, POLLOUT, 0};
            poll(&ready, 1, -1);
        } else if (errno != EINTR)
            throw cannot_write(name);
    }
}

} // namespace

bool is_temporary_file(const std::string& name)
{
    const std::size_t at = name.rfind(mark_begin);
    if (at == std::string::npos) return false;
    const auto parts = split(std::string_view(name).substr(at + mark_begin.size()), '.');
    return parts.size() == 3 && parts[0].size() == 8 &&
           parts[0].find_first_not_of("0123456789abcdef") == parts[0].npos &&
           parse_number<pid_t>(parts[1]) && parse_number<int>(parts[2]);
}

std::string followed(const std::string& path)
{
    fs::path out = path;
    std::error_code ignored;
    for (int links = 0; fs::is_symlink(out, ignored); ++links) {
        if (links == most_links) throw Error("{}: cannot write: {}", path, std::strerror(ELOOP));
        out = target_of(out);
    }
    return out;
}

std::optional<int> own_descriptor(const std::string& path)
{
    if (path == "-") return STDOUT_FILENO;
    std::error_code failed;
    const fs::path own = fs::canonical("/proc/self/fd", failed);
    if (failed) return std::nullopt;
    fs::path at = path;
    for (int links = 0; links < most_links; ++links, at = target_of(at)) {
        if (fs::canonical(folder_of(at), failed) == own && !failed)
            return parse_number<int>(at.filename().string());
        if (!fs::is_symlink(at, failed)) break;
    }
    return std::nullopt;
}

void write_whole(const std::string& path, std::span<const std::byte> bytes)
{
    if (const std::optional<int> descriptor = own_descriptor(path)) {
        write_straight(*descriptor, bytes, path == "-" ? "stdout" : path);
        return;
    }
    struct stat there {
    };
    if (stat(path.c_str(), &there) == 0 && (S_ISFIFO(there.st_mode) || S_ISCHR(there.st_mode))) {
        const Descriptor stream{open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC)};
        if (stream.number < 0) throw cannot_write(path);
        write_straight(stream.number, bytes, path);
        return;
    }
    AtomicFile file(path);
    file.append(bytes);
    file.commit();
}

AtomicFile::AtomicFile(const std::string& path) : path_(followed(path))
{
    struct stat old {
    };
    const bool replaces = stat(path.c_str(), &old) == 0;
    if (path.empty() || (replaces && !S_ISREG(old.st_mode)))
        throw Error("{}: cannot write: not a regular file", path);
    if (replaces && access(path.c_str(), W_OK) != 0) fail("write");
    if (replaces) old_mode_ = old.st_mode & permissions;
    remove_leftovers(folder_of(path_));
    // Until it has the old one's permissions nobody else may read it.
    const mode_t first_mode = replaces ? 0600 : 0666;
    for (int attempt = 0; descriptor_ < 0 && attempt < 1000; ++attempt) {
        temporary_ = fmt::format("{}{}{}.{}", path_, mark(), getpid(), attempt);
        descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, first_mode);
        if (descriptor_ < 0 && errno != EEXIST) break;
    }
    if (descriptor_ < 0) fail("write");
    lock(descriptor_);
}

AtomicFile::~AtomicFile()
{
    if (descriptor_ < 0) return;
    close(descriptor_);
    unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* action) const
{
    throw Error("{}: cannot {}: {}", path_, action, std::strerror(errno));
}

void AtomicFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = pwrite(descriptor_, bytes.data(), bytes.size(), offset);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("write");
        bytes = bytes.subspan(written);
        offset += written;
    }
}

void AtomicFile::append(std::span<const std::byte> bytes)
{
    write_at(size_, bytes);
    size_ += bytes.size();
}

void AtomicFile::overwrite(std::uint64_t offset, std::span<const std::byte> bytes)
{
    write_at(offset, bytes);
}

void AtomicFile::commit()
{
    if (old_mode_ && fchmod(descriptor_, *old_mode_) != 0) fail("set the permissions");
    if (fsync(descriptor_) != 0) fail("write");
    const Descriptor locked{std::exchange(descriptor_, -1)};
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
        const int reason = errno;
        const std::string kept =
            fmt::format("{}.kept.{}", path_, getpid()); // of no leftover's name
        const bool renamed = std::rename(temporary_.c_str(), kept.c_str()) == 0;
        throw Error("{}: cannot be replaced: {}; what was to be written is in {}", path_,
                    std::strerror(reason), renamed ? kept : temporary_);
    }
    sync_folder(path_);
}

} // namespace qcd

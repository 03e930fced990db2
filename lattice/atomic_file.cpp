#include "lattice/atomic_file.hpp"

#include "lattice/error.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace qcd
{

namespace
{

/// Makes a rename in this folder durable. Some file systems cannot: not an error.
void sync_folder(const fs::path& file)
{
    const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
    const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    fsync(descriptor);
    close(descriptor);
}

} // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(path)
{
    std::error_code ignored;
    if (fs::is_symlink(path, ignored)) path_ = fs::weakly_canonical(path, ignored).string();
    if (path_.empty() || (fs::exists(path_, ignored) && !fs::is_regular_file(path_, ignored)))
        throw Error(fmt::format("{}: cannot write: not a regular file", path));
    for (int attempt = 0; descriptor_ < 0 && attempt < 1000; ++attempt) {
        temporary_ = fmt::format("{}.tmp.{}.{}", path_, getpid(), attempt);
        descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ < 0 && errno != EEXIST) break;
    }
    if (descriptor_ < 0) fail("write");
}

AtomicFile::~AtomicFile()
{
    if (descriptor_ < 0) return;
    close(descriptor_);
    unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* action) const
{
    throw Error(fmt::format("{}: cannot {}: {}", path_, action, std::strerror(errno)));
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
    if (fsync(descriptor_) != 0) fail("write");
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename the finished file");
    close(descriptor_);
    descriptor_ = -1;
    sync_folder(path_);
}

} // namespace qcd

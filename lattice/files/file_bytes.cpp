#include "lattice/files/file_bytes.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace qcd
{

namespace
{

class RegularFile : public FileBytes
{
public:
    explicit RegularFile(const std::string& path) : FileBytes(path, 0)
    {
        // O_NONBLOCK: a named pipe is refused below instead of waiting for its other end.
        descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (descriptor_ < 0) throw Error("{}: cannot open: {}", path, std::strerror(errno));
        struct stat status {
        };
        if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
            close(descriptor_);
            throw Error("{}: {}", path,
                        S_ISDIR(status.st_mode) ? "a folder, not a file"
                        : S_ISFIFO(status.st_mode)
                            ? "a pipe, and a file is read in several places at once"
                            : "not a regular file");
        }
        set_size(status.st_size);
    }
    RegularFile(const RegularFile&) = delete;
    RegularFile& operator=(const RegularFile&) = delete;
    ~RegularFile() override { close(descriptor_); }

    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        while (!out.empty()) {
            const ssize_t got = pread(descriptor_, out.data(), out.size(), offset);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) throw Error("{}: cannot read: {}", name(), std::strerror(errno));
            if (got == 0)
                throw Error("{}: truncated: ended at byte {} while being read", name(), offset);
            out = out.subspan(got);
            offset += got;
        }
    }

private:
    int descriptor_;
};

class Memory : public FileBytes
{
public:
    Memory(std::string name, std::vector<std::byte> bytes)
        : FileBytes(std::move(name), bytes.size()), bytes_(std::move(bytes))
    {
    }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        if (offset > bytes_.size() || out.size() > bytes_.size() - offset)
            throw Error("{}: truncated: ended at byte {} while being read", name(), bytes_.size());
        std::copy_n(bytes_.begin() + offset, out.size(), out.begin());
    }

    std::span<const std::byte> in_memory() const override { return bytes_; }

private:
    std::vector<std::byte> bytes_;
};

bool is_compressed(const FileBytes& file)
{
    std::array<std::byte, 2> first{};
    if (file.size() < first.size()) return false;
    file.read(0, first);
    return first == std::array{std::byte(0x1f), std::byte(0x8b)};
}

/// What gzip has made a file of. Its checksum is compared.
std::vector<std::byte> decompressed(const std::string& path)
{
    const auto close = [](gzFile f) { gzclose(f); };
    const std::unique_ptr<gzFile_s, decltype(close)> file(gzopen(path.c_str(), "rb"), close);
    if (!file) throw Error("{}: cannot open: {}", path, std::strerror(errno));
    const std::size_t most = std::size_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 2;
    constexpr unsigned at_once = 16 << 20;
    std::vector<std::byte> bytes;
    for (int got = 1; got > 0;) {
        const std::size_t before = bytes.size();
        if (before + at_once > most)
            throw Error("{}: compressed, and more than half of the memory without: "
                        "unpack it (gunzip -k)",
                        path);
        bytes.resize(before + at_once);
        got = gzread(file.get(), bytes.data() + before, at_once);
        int status = Z_OK;
        const char* const what = gzerror(file.get(), &status);
        if (got < 0 || status != Z_OK)
            throw Error("{}: compressed, and damaged: {}", path,
                        status == Z_BUF_ERROR ? "it ends too early" : what);
        bytes.resize(before + std::size_t(got));
    }
    return bytes;
}

} // namespace

std::string FileBytes::text(std::uint64_t offset, std::uint64_t limit) const
{
    std::string out(std::min(limit, size() - std::min(offset, size())), '\0');
    read(offset, std::as_writable_bytes(std::span(out)));
    return out;
}

std::unique_ptr<FileBytes> open_file_bytes(const std::string& path)
{
    auto file = std::make_unique<RegularFile>(path);
    if (is_compressed(*file)) return memory_bytes(path, decompressed(path));
    return file;
}

std::unique_ptr<FileBytes> memory_bytes(std::string name, std::vector<std::byte> bytes)
{
    return std::make_unique<Memory>(std::move(name), std::move(bytes));
}

} // namespace qcd

#pragma once
// A file that appears under its name complete or not at all.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <sys/types.h>

namespace qcd
{

/// What a symbolic link, or several, leads to; it need not be there. A rename would replace the
/// link itself. Throws Error for links in a circle.
std::string followed(const std::string& path);

/// Writes into a temporary file of the same folder. commit() makes it durable and renames it, or,
/// if that fails, leaves it there and names it; destroyed without commit(), it is removed and what
/// was there before is untouched. A file that is replaced must be writable, and the new one has its
/// permissions. A symbolic link is followed, also one whose file is not there yet.
class AtomicFile
{
public:
    explicit AtomicFile(const std::string& path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void append(std::span<const std::byte> bytes);
    void overwrite(std::uint64_t offset,
                   std::span<const std::byte> bytes); ///< of bytes appended before
    void commit();

private:
    void write_at(std::uint64_t offset, std::span<const std::byte> bytes);
    [[noreturn]] void fail(const char* action) const;

    std::string path_, temporary_;
    std::optional<mode_t> old_mode_; ///< of the file that is replaced
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

} // namespace qcd

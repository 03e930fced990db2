#pragma once
// A file that appears under its name complete or not at all; what is no file is written straight.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace qcd
{

/// What a symbolic link, or several, leads to; it need not be there. A rename would replace the
/// link itself. Throws Error for links in a circle.
std::string followed(const std::string& path);

/// The descriptor of this process that a path leads to: /dev/stdout, /dev/fd/N, "-" for stdout; it
/// need not be open.
std::optional<int> own_descriptor(const std::string& path);

/// Is this the name of an AtomicFile's temporary file, of whatever machine and process?
bool is_temporary_file(const std::string& name);

/// A pipe, a character device and what own_descriptor() knows get the bytes straight, everything
/// else is an AtomicFile. A pipe that nobody reads yet is waited for.
void write_whole(const std::string& path, std::span<const std::byte> bytes);
inline void write_whole(const std::string& path, std::string_view text)
{
    write_whole(path, std::as_bytes(std::span(text)));
}

/// Writes into a temporary file of the same folder. commit() makes it durable and renames it, or,
/// if that fails, leaves it there and names it; destroyed without commit(), it is removed and what
/// was there before is untouched. A file that is replaced must be writable, and the new one has its
/// permissions. A symbolic link is followed, also one whose file is not there yet. Temporary files
/// that killed processes of this user and machine left in the folder are removed.
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

    /// The file's name, and that of the temporary one, for a library that writes into it by that.
    const std::string& name() const { return path_; }
    const std::string& temporary() const { return temporary_; }

private:
    void write_at(std::uint64_t offset, std::span<const std::byte> bytes);
    [[noreturn]] void fail(const char* action) const;

    std::string path_, temporary_;
    std::optional<mode_t> old_mode_; ///< of the file that is replaced
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

} // namespace qcd

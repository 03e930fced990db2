#pragma once
// A file that appears under its name complete or not at all.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace qcd
{

/// Writes into a temporary file of the same folder. commit() makes it durable and renames it;
/// destroyed without commit(), it is removed and what was there before is untouched. A symbolic
/// link is followed.
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
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

} // namespace qcd

#pragma once
// Read-only bytes with a known size: a regular file, compressed or not, or memory.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace qcd
{

class FileBytes
{
public:
    virtual ~FileBytes() = default;

    /// Fills `out` from `offset` on. Throws Error if there are not that many bytes.
    virtual void read(std::uint64_t offset, std::span<std::byte> out) const = 0;

    /// All of them, where they are in memory; else none.
    virtual std::span<const std::byte> in_memory() const { return {}; }

    std::uint64_t size() const { return size_; }
    const std::string& name() const { return name_; }

    /// The bytes from `offset` on as text, at most `limit` of them and none beyond the end.
    std::string text(std::uint64_t offset, std::uint64_t limit) const;

protected:
    FileBytes(std::string name, std::uint64_t size) : name_(std::move(name)), size_(size) {}
    void set_size(std::uint64_t size) { size_ = size; }

private:
    std::string name_;
    std::uint64_t size_;
};

/// Opens a file; what gzip has packed is unpacked into memory. Throws Error if the path
/// cannot be opened, is not a regular file, or is compressed and damaged.
std::unique_ptr<FileBytes> open_file_bytes(const std::string& path);

/// `name` stands for the path in messages.
std::unique_ptr<FileBytes> memory_bytes(std::string name, std::vector<std::byte> bytes);

} // namespace qcd

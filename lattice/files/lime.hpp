#pragma once
// LIME: a file is a chain of records, each a header of 144 bytes, data, and padding to 8 bytes,
// which may lack where the file ends.
// Header: magic 0x456789ab, version 1, flags (begin and end of a message), 64-bit length of the
// data, 128 bytes of type name. All big-endian.

#include "base/atomic_file.hpp"
#include "lattice/files/file_bytes.hpp"

#include <optional>

namespace qcd
{

struct LimeRecord {
    std::string type;
    std::uint64_t offset; ///< of the data
    std::uint64_t length; ///< of the data, padding not counted; known to lie inside the file
};

/// Walks the records of a file. The message flags are not looked at: widespread writers set them
/// wrong.
class LimeReader
{
public:
    explicit LimeReader(const FileBytes& bytes) : bytes_(bytes) {}

    /// The next record, or nothing where the file ends. Throws Error on anything that is no record.
    std::optional<LimeRecord> next();

private:
    const FileBytes& bytes_;
    std::uint64_t at_ = 0;
};

std::vector<std::byte> lime_header(const std::string& type, std::uint64_t length,
                                   bool begins_message, bool ends_message);

/// A record that is text, with its padding.
void append_lime_record(AtomicFile& file, const std::string& type, const std::string& text,
                        bool begins_message, bool ends_message);

/// Bytes of padding after that many bytes of data: 0..7.
std::uint64_t lime_padding(std::uint64_t length);

} // namespace qcd

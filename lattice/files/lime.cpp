#include "lattice/files/lime.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/files/endian.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace qcd
{

namespace
{

constexpr std::uint64_t header_bytes = 144, type_offset = 16, type_bytes = 128;
constexpr std::uint32_t magic = 0x456789ab;
constexpr std::uint16_t version = 1, begin_flag = 0x8000, end_flag = 0x4000;

} // namespace

std::uint64_t lime_padding(std::uint64_t length) { return (8 - length % 8) % 8; }

std::optional<LimeRecord> LimeReader::next()
{
    const auto error = [&](const std::string& problem) {
        return Error("{}: LIME record at byte {}: {}", bytes_.name(), at_, problem);
    };
    const std::uint64_t left = bytes_.size() - at_;
    if (left == 0) return std::nullopt;
    if (left < header_bytes)
        throw error(
            fmt::format("truncated or trailing bytes: {} bytes are no record header", left));
    std::array<std::byte, header_bytes> header;
    bytes_.read(at_, header);
    if (load_word<std::uint32_t>(&header[0], true) != magic)
        throw error("wrong magic number (trailing bytes or a wrong length before it)");
    const auto found_version = load_word<std::uint16_t>(&header[4], true);
    if (found_version != version)
        throw error(fmt::format("unknown version {}{}", found_version,
                                found_version == 0
                                    ? ", as the converter of qcdutils writes it: a 1 in "
                                      "bytes 4 and 5 of each record's header makes it LIME"
                                    : ""));

    const auto* type = reinterpret_cast<const char*>(&header[type_offset]);
    LimeRecord record{std::string(type, strnlen(type, type_bytes)), at_ + header_bytes,
                      load_word<std::uint64_t>(&header[8], true)};
    if (record.type.size() == type_bytes) throw error("the type name has no end");
    const std::uint64_t room = left - header_bytes;
    if (record.length > room)
        throw error(fmt::format("truncated: {} of {} bytes, {} bytes are left",
                                qcd::quoted(record.type), record.length, room));
    // Some writers, such as GPT, end the file without the last padding.
    const std::uint64_t padding = std::min(lime_padding(record.length), room - record.length);
    at_ = record.offset + record.length + padding;
    return record;
}

std::vector<std::byte> lime_header(const std::string& type, std::uint64_t length,
                                   bool begins_message, bool ends_message)
{
    std::vector<std::byte> header(header_bytes);
    const int flags = (begins_message ? begin_flag : 0) | (ends_message ? end_flag : 0);
    store_word(magic, true, &header[0]);
    store_word(version, true, &header[4]);
    store_word(std::uint16_t(flags), true, &header[6]);
    store_word(length, true, &header[8]);
    std::memcpy(&header[type_offset], type.data(),
                std::min<std::size_t>(type.size(), type_bytes - 1));
    return header;
}

void append_lime_record(AtomicFile& file, const std::string& type, const std::string& text,
                        bool begins_message, bool ends_message)
{
    std::vector<std::byte> record = lime_header(type, text.size(), begins_message, ends_message);
    const auto bytes = std::as_bytes(std::span(text));
    record.insert(record.end(), bytes.begin(), bytes.end());
    record.resize(record.size() + lime_padding(text.size()));
    file.append(record);
}

} // namespace qcd

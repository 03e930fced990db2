#include "lattice/files/xml_fields.hpp"

#include "base/text.hpp"
#include "lattice/files/xml.hpp"

#include <array>
#include <fmt/format.h>

namespace qcd
{

namespace
{

constexpr std::uint64_t longest_xml = 1 << 16;

} // namespace

XmlFields::XmlFields(const FileBytes& bytes, const LimeRecord& record, std::string_view root)
    : what_(fmt::format("{}: {}", bytes.name(), record.type))
{
    if (record.length > longest_xml)
        throw error(fmt::format("{} bytes, at most {} expected", record.length, longest_xml));
    FlatXml xml = parse_flat_xml(bytes.text(record.offset, record.length), what_);
    if (xml.root != root)
        throw error(fmt::format("root element {}, expected <{}>", qcd::quoted(xml.root), root));
    fields_ = std::move(xml.fields);
    damaged_attributes_ = xml.damaged_attributes;
}

std::string XmlFields::take(const std::string& name)
{
    const auto node = fields_.extract(name);
    if (node.empty()) throw error(fmt::format("no element <{}>", name));
    return node.mapped();
}

std::uint64_t XmlFields::take_number(const std::string& name)
{
    const std::string text = take(name);
    const auto number = parse_number<std::uint64_t>(text);
    if (!number) throw bad_value(name, text, "a whole number");
    return *number;
}

int XmlFields::take_bits()
{
    const std::string precision = take("precision");
    if (precision != "32" && precision != "64") throw bad_value("precision", precision, "32 or 64");
    return precision == "32" ? 32 : 64;
}

Extents XmlFields::take_extents()
{
    constexpr std::array<const char*, 4> names = {"lx", "ly", "lz", "lt"};
    Extents extents;
    for (int mu = 0; mu < 4; ++mu) {
        const std::string text = take(names[mu]);
        const auto extent = parse_number<int>(text);
        if (!extent) throw bad_value(names[mu], text, fmt::format("a number up to {}", max_extent));
        extents[mu] = *extent;
    }
    return extents;
}

void XmlFields::require_version()
{
    const std::string version = take("version"); // Grid writes 1
    if (version != "1" && !version.starts_with("1.")) throw bad_value("version", version, "1.x");
}

void XmlFields::require_all_taken() const
{
    if (!fields_.empty())
        throw error(fmt::format("unknown element {}", qcd::quoted(fields_.begin()->first)));
}

std::string XmlFields::line(std::string_view text) const
{
    return fmt::format("{}: {}", what_, text);
}

Error XmlFields::bad_value(std::string_view name, std::string_view value,
                           std::string_view expected) const
{
    return error(fmt::format("<{}> is {}, expected {}", name, qcd::quoted(value), expected));
}

} // namespace qcd

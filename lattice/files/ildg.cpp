#include "lattice/files/ildg.hpp"

#include "lattice/error.hpp"
#include "lattice/files/lime.hpp"
#include "lattice/files/xml.hpp"
#include "lattice/text.hpp"

#include <array>
#include <fmt/format.h>

namespace qcd
{

namespace
{

constexpr std::uint64_t longest_xml = 1 << 16;
constexpr std::string_view xml_declaration = R"(<?xml version="1.0" encoding="UTF-8"?>)";

/// The records that say how to read the links.
struct Records {
    std::optional<LimeRecord> format, data, checksum, scidac;
};

Records find_records(const FileBytes& bytes)
{
    Records records;
    LimeReader reader(bytes);
    while (const auto record = reader.next()) {
        std::optional<LimeRecord>* slot = record->type == "ildg-format"        ? &records.format
                                          : record->type == "ildg-binary-data" ? &records.data
                                          : record->type == "scidac-checksum"  ? &records.checksum
                                                                               : nullptr;
        if (record->type == "scidac-binary-data") records.scidac = record;
        if (!slot) continue;
        if (*slot)
            throw Error(fmt::format("{}: more than one {} record", bytes.name(), record->type));
        *slot = record;
    }
    if (!records.data && records.scidac)
        throw Error(fmt::format("{}: SciDAC (QIO) data, as MILC, Chroma and QUDA write them, not "
                                "ILDG: MILC with QIO reads them and writes ILDG (save_serial_ildg)",
                                bytes.name()));
    if (!records.data)
        throw Error(fmt::format("{}: LIME file without an ildg-binary-data record", bytes.name()));
    return records;
}

/// The fields of an XML record.
class Fields
{
public:
    Fields(const FileBytes& bytes, const LimeRecord& record, std::string_view root)
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

    bool has(const std::string& name) const { return fields_.contains(name); }
    bool damaged_attributes() const { return damaged_attributes_; }

    /// Each field is asked for once.
    std::string take(const std::string& name)
    {
        const auto node = fields_.extract(name);
        if (node.empty()) throw error(fmt::format("no element <{}>", name));
        return node.mapped();
    }

    /// An element that nobody asked for may change the meaning of the data.
    void require_all_taken() const
    {
        if (!fields_.empty())
            throw error(fmt::format("unknown element {}", qcd::quoted(fields_.begin()->first)));
    }

    std::string line(std::string_view text) const { return fmt::format("{}: {}", what_, text); }
    Error error(const std::string& problem) const { return Error(line(problem)); }
    Error bad_value(std::string_view name, std::string_view value, std::string_view expected) const
    {
        return error(fmt::format("<{}> is {}, expected {}", name, qcd::quoted(value), expected));
    }

private:
    std::string what_;
    std::map<std::string, std::string> fields_;
    bool damaged_attributes_ = false;
};

void require_version(Fields& fields)
{
    const std::string version = fields.take("version"); // Grid writes 1
    if (version != "1" && !version.starts_with("1."))
        throw fields.bad_value("version", version, "1.x");
}

/// Of a file that does not say its lattice.
void read_bare_links(const FileBytes& bytes, const LimeRecord& data,
                     const std::optional<Extents>& lattice, GaugeFileHeader& out)
{
    if (!lattice)
        throw Error(fmt::format("{}: no ildg-format record says which lattice the {} bytes of "
                                "links are of; --lattice XxYxZxT would",
                                bytes.name(), data.length));
    out.lattice = *lattice;
    out.links = {.bits = 32, .big_endian = true, .rows = 3};
    if (data.length != data_bytes(out.lattice, out.links)) out.links.bits = 64;
    out.notes.push_back(fmt::format("{}: no ildg-format record: that the lattice is {} is taken "
                                    "from --lattice",
                                    bytes.name(), to_string(out.lattice)));
}

void read_format(Fields fields, GaugeFileHeader& out)
{
    constexpr std::array<const char*, 4> names = {"lx", "ly", "lz", "lt"};
    require_version(fields);
    if (fields.damaged_attributes())
        out.notes.push_back(fields.line("the attributes of its root element are not XML, and were "
                                        "left out"));
    if (fields.has("field")) {
        const std::string field = fields.take("field");
        if (field != "su3gauge") throw fields.bad_value("field", field, "su3gauge");
    } else { // links of another size or group do not get far
        out.notes.push_back(fields.line("no element <field>, read as su3gauge"));
    }
    const std::string precision = fields.take("precision");
    if (precision != "32" && precision != "64")
        throw fields.bad_value("precision", precision, "32 or 64");
    out.links = {.bits = precision == "32" ? 32 : 64, .big_endian = true, .rows = 3};
    for (int mu = 0; mu < 4; ++mu) {
        const std::string text = fields.take(names[mu]);
        const auto extent = parse_number<int>(text);
        if (!extent)
            throw fields.bad_value(names[mu], text, fmt::format("a number up to {}", max_extent));
        out.lattice[mu] = *extent;
    }
    fields.require_all_taken();
}

ScidacChecksum read_checksum(Fields fields)
{
    require_version(fields);
    const auto sum = [&](const char* name) {
        const std::string text = fields.take(name);
        const auto value = parse_hex32(text);
        if (!value) throw fields.bad_value(name, text, "up to 8 hexadecimal digits");
        return *value;
    };
    const std::uint32_t suma = sum("suma");
    return {suma, sum("sumb")};
}

} // namespace

GaugeFileHeader read_ildg_header(const FileBytes& bytes, const std::optional<Extents>& lattice)
{
    const Records records = find_records(bytes);
    GaugeFileHeader out;
    if (records.format)
        read_format(Fields(bytes, *records.format, "ildgFormat"), out);
    else
        read_bare_links(bytes, *records.data, lattice, out);
    require_lattice(out.lattice, bytes.name());
    out.format_name =
        fmt::format("ILDG, {} bits{}", out.links.bits, records.checksum ? "" : ", no checksum");
    out.data_offset = records.data->offset;
    if (records.checksum)
        out.scidac = read_checksum(Fields(bytes, *records.checksum, "scidacChecksum"));
    const std::uint64_t expected = data_bytes(out.lattice, out.links);
    if (records.data->length != expected)
        throw Error(fmt::format(
            "{}: wrong size: ildg-binary-data has {} bytes, a {} lattice of {}-bit "
            "numbers has {}",
            bytes.name(), records.data->length, to_string(out.lattice), out.links.bits, expected));
    return out;
}

std::string ildg_format_xml(const Extents& lattice, int bits)
{
    const auto& [lx, ly, lz, lt] = lattice;
    return fmt::format(
        "{}<ildgFormat xmlns=\"http://www.lqcd.org/ildg\" "
        "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
        "xsi:schemaLocation=\"http://www.lqcd.org/ildg filefmt.xsd\"><version>1.0</version>"
        "<field>su3gauge</field><precision>{}</precision>"
        "<lx>{}</lx><ly>{}</ly><lz>{}</lz><lt>{}</lt></ildgFormat>",
        xml_declaration, bits, lx, ly, lz, lt);
}

std::string scidac_checksum_xml(const ScidacChecksum& checksum)
{
    return fmt::format("{}<scidacChecksum><version>1.0</version><suma>{:08x}</suma>"
                       "<sumb>{:08x}</sumb></scidacChecksum>",
                       xml_declaration, checksum.suma, checksum.sumb);
}

} // namespace qcd

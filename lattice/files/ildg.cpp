#include "lattice/files/ildg.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/files/lime.hpp"
#include "lattice/files/scidac.hpp"
#include "lattice/files/xml.hpp"
#include "lattice/files/xml_fields.hpp"

#include <fmt/format.h>

namespace qcd
{

namespace
{

/// The records that say how to read the links.
struct Records {
    std::optional<LimeRecord> format, data, checksum;
    std::optional<LimeRecord> shape; ///< SciDAC's
};

/// Do SciDAC's records say what an ildg-format would? Grid calls SciDAC's data ildg-binary-data,
/// too, which can be read as links of a lattice that is asked for where no record says it.
bool is_scidac(const FileBytes& bytes, bool lattice_is_known)
{
    bool scidac = false, says_lattice = false, links = false;
    LimeReader reader(bytes);
    while (const auto record = reader.next()) {
        if (record->type == "ildg-format") return false;
        scidac = scidac || record->type == "scidac-private-record-xml";
        says_lattice = says_lattice || record->type == "scidac-private-file-xml";
        links = links || record->type == "ildg-binary-data";
    }
    return scidac && (says_lattice || !(links && lattice_is_known));
}

Records find_records(const FileBytes& bytes)
{
    Records records;
    LimeReader reader(bytes);
    while (const auto record = reader.next()) {
        if (record->type == "scidac-private-record-xml") records.shape = record;
        std::optional<LimeRecord>* slot = record->type == "ildg-format"        ? &records.format
                                          : record->type == "ildg-binary-data" ? &records.data
                                          : record->type == "scidac-checksum"  ? &records.checksum
                                                                               : nullptr;
        if (!slot) continue;
        if (*slot) throw Error("{}: more than one {} record", bytes.name(), record->type);
        *slot = record;
    }
    if (!records.data)
        throw Error("{}: LIME file without an ildg-binary-data record", bytes.name());
    return records;
}

/// Reads links of a file that does not say its lattice.
void read_bare_links(const FileBytes& bytes, const LimeRecord& data,
                     const std::optional<Extents>& lattice, GaugeFileHeader& out)
{
    if (!lattice)
        throw Error("{}: no ildg-format record says which lattice the {} bytes of "
                    "links are of; --lattice XxYxZxT would",
                    bytes.name(), data.length);
    out.lattice = *lattice;
    out.links = {.bits = 32, .big_endian = true, .rows = 3};
    if (data.length != data_bytes(out.lattice, out.links)) out.links.bits = 64;
    out.notes.push_back(fmt::format("{}: no ildg-format record: that the lattice is {} is taken "
                                    "from --lattice",
                                    bytes.name(), to_string(out.lattice)));
}

void read_format(XmlFields fields, GaugeFileHeader& out)
{
    fields.require_version();
    if (fields.damaged_attributes())
        out.notes.push_back(fields.line("the attributes of its root element are not XML, and were "
                                        "left out"));
    if (fields.has("field")) {
        const std::string field = fields.take("field");
        if (field != "su3gauge") throw fields.bad_value("field", field, "su3gauge");
    } else { // links of another size or group do not get far
        out.notes.push_back(fields.line("no element <field>, read as su3gauge"));
    }
    out.links = {.bits = fields.take_bits(), .big_endian = true, .rows = 3};
    out.lattice = fields.take_extents();
    fields.require_all_taken();
}

} // namespace

GaugeFileHeader read_ildg_header(const FileBytes& bytes, const std::optional<Extents>& lattice,
                                 std::optional<int> number)
{
    if (is_scidac(bytes, lattice.has_value())) return read_scidac_gauge_header(bytes, number);
    if (number.value_or(0) != 0)
        throw Error("{}: ILDG has one gauge field: there is none of number {}", bytes.name(),
                    *number);
    const Records records = find_records(bytes);
    GaugeFileHeader out;
    if (records.format)
        read_format(XmlFields(bytes, *records.format, "ildgFormat"), out);
    else {
        if (records.shape) require_scidac_links(bytes, *records.shape);
        read_bare_links(bytes, *records.data, lattice, out);
    }
    require_lattice(out.lattice, bytes.name());
    out.format_name =
        fmt::format("ILDG, {} bits{}", out.links.bits, records.checksum ? "" : ", no checksum");
    out.data_offset = records.data->offset;
    if (records.checksum) out.scidac = read_scidac_checksum(bytes, *records.checksum);
    const std::uint64_t expected = data_bytes(out.lattice, out.links);
    if (records.data->length != expected)
        throw Error("{}: wrong size: ildg-binary-data has {} bytes, a {} lattice of {}-bit "
                    "numbers has {}",
                    bytes.name(), records.data->length, to_string(out.lattice), out.links.bits,
                    expected);
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

} // namespace qcd

#include "lattice/files/scidac.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/files/xml.hpp"
#include "lattice/files/xml_fields.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace qcd
{

namespace
{

constexpr std::string_view private_file = "scidac-private-file-xml",
                           private_record = "scidac-private-record-xml";

Extents read_dims(XmlFields fields)
{
    fields.require_version();
    if (const std::string spacetime = fields.take("spacetime"); spacetime != "4")
        throw fields.bad_value("spacetime", spacetime, "4");
    const std::string dims = fields.take("dims");
    std::vector<int> extents;
    for (const std::string_view word : split(dims, ' ')) {
        if (trim(word).empty()) continue; // QIO ends the list with a blank
        const auto extent = parse_number<int>(trim(word));
        if (!extent) throw fields.bad_value("dims", dims, "four extents");
        extents.push_back(*extent);
    }
    if (extents.size() != 4) throw fields.bad_value("dims", dims, "four extents");
    // Version 1.0 counts the files instead, or says 0.
    const bool old = fields.has("multifile");
    const char* name = old ? "multifile" : "volfmt";
    const std::uint64_t volumes = fields.take_number(name);
    if (volumes > (old ? 1 : 0))
        throw fields.error("a part of the sites: QIO's tools make one file of the parts");
    return {extents[0], extents[1], extents[2], extents[3]};
}

/// What the private XML of a record says.
struct RecordShape : ScidacShape {
    bool field = false; ///< on all sites
};

RecordShape read_shape(XmlFields fields)
{
    fields.require_version();
    const bool old = fields.has("globaldata"); // version 1.0
    RecordShape out;
    out.field = fields.take_number(old ? "globaldata" : "recordtype") == 0;
    out.datatype = fields.take("datatype");
    const std::string precision = fields.take("precision");
    out.bits = precision == "F" || precision == "S" ? 32 : precision == "D" ? 64 : 0;
    if (out.field && out.bits == 0) throw fields.bad_value("precision", precision, "F or D");
    constexpr std::uint64_t most = 1 << 20; // bytes of a datum, and data of a site
    out.typesize = fields.take_number("typesize");
    out.datacount = fields.take_number("datacount");
    if (out.typesize > most || out.datacount > most)
        throw fields.error(
            fmt::format("{} data of {} bytes at a site", out.datacount, out.typesize));
    return out;
}

bool is_spinor(ScidacDatum d) { return d == ScidacDatum::spinor || d == ScidacDatum::propagator; }

bool is_links(const ScidacShape& shape)
{
    const auto [datum, count] = content_of(shape);
    return (datum == ScidacDatum::colour_matrix && count == 4) ||
           (datum == ScidacDatum::links && count == 1);
}

void require_links(const FileBytes& bytes, const ScidacShape& shape)
{
    if (!is_links(shape))
        throw Error("{}: SciDAC file of {}: {}", bytes.name(), to_string(shape),
                    is_spinor(content_of(shape).datum) ? "not a gauge field"
                                                       : "not a gauge field, nor spinors");
}

class ScidacReader
{
public:
    explicit ScidacReader(const FileBytes& bytes) : bytes_(bytes) {}

    ScidacFile read()
    {
        LimeReader reader(bytes_);
        while (const auto record = reader.next()) take(*record);
        if (!lattice_known_) throw Error("{}: no {} record", bytes_.name(), private_file);
        finish_field();
        return std::move(file_);
    }

private:
    void take(const LimeRecord& record)
    {
        const std::string& type = record.type;
        if (type == private_file) {
            if (lattice_known_) throw twice(record);
            file_.lattice = read_dims(XmlFields(bytes_, record, "scidacFile"));
            require_lattice(file_.lattice, bytes_.name());
            lattice_known_ = true;
        } else if (type == "scidac-file-xml") {
            file_.user_xml = record;
        } else if (type == "scidac-sitelist") {
            throw Error("{}: has a list of sites: a part of the lattice", bytes_.name());
        } else if (type == private_record) {
            if (shape_ && data_) finish_field(); // Grid's comes behind the user's
            if (shape_) throw twice(record);
            shape_ = read_shape(XmlFields(bytes_, record, "scidacRecord"));
        } else if (type == "scidac-record-xml") {
            if (data_) finish_field();
            user_xml_ = record;
        } else if (type == "scidac-binary-data" || type == "ildg-binary-data") {
            if (data_) throw twice(record);
            data_ = record;
        } else if (type == "scidac-checksum") {
            if (checksum_) throw twice(record);
            checksum_ = record;
        }
    }

    Error twice(const LimeRecord& record) const
    {
        return Error("{}: a second {} at byte {}, where none may be", bytes_.name(), record.type,
                     record.offset);
    }

    /// Makes a field of the records since the last one; there need be none.
    void finish_field()
    {
        if (shape_ && data_) add_field();
        if (bool(shape_) != bool(data_))
            throw Error("{}: {}", bytes_.name(),
                        shape_ ? "a scidac-private-record-xml without data"
                               : "data without a scidac-private-record-xml");
        shape_.reset();
        data_.reset();
        user_xml_.reset();
        checksum_.reset();
    }

    void add_field()
    {
        if (!shape_->field) return;
        if (!lattice_known_)
            throw Error("{}: no {} record before the data", bytes_.name(), private_file);
        const std::uint64_t site_bytes = shape_->site_bytes();
        const std::uint64_t expected = std::uint64_t(volume(file_.lattice)) * site_bytes;
        if (data_->length != expected)
            throw Error("{}: wrong size: {} has {} bytes, {} sites with {} bytes each "
                        "have {}",
                        bytes_.name(), data_->type, data_->length, to_string(file_.lattice),
                        site_bytes, expected);
        ScidacField field{*shape_, *data_, user_xml_, {}};
        if (checksum_) field.checksum = read_scidac_checksum(bytes_, *checksum_);
        file_.fields.push_back(std::move(field));
    }

    const FileBytes& bytes_;
    ScidacFile file_;
    bool lattice_known_ = false;
    std::optional<RecordShape> shape_;
    std::optional<LimeRecord> data_, user_xml_, checksum_;
};

} // namespace

ScidacFile read_scidac_file(const FileBytes& bytes) { return ScidacReader(bytes).read(); }

bool is_scidac_spinor(const FileBytes& bytes, const LimeRecord& record)
{
    if (record.type != private_record) return false;
    const RecordShape shape = read_shape(XmlFields(bytes, record, "scidacRecord"));
    return shape.field && (is_spinor(content_of(shape).datum) ||
                           is_spinor(datum_named(shape.datatype).value_or(ScidacDatum::other)));
}

void require_scidac_links(const FileBytes& bytes, const LimeRecord& record)
{
    const RecordShape shape = read_shape(XmlFields(bytes, record, "scidacRecord"));
    if (shape.field) require_links(bytes, shape);
}

GaugeFileHeader read_scidac_gauge_header(const FileBytes& bytes, std::optional<int> number)
{
    const ScidacFile file = read_scidac_file(bytes);
    if (file.fields.size() == 1) require_links(bytes, file.fields.front().shape);
    std::vector<ScidacField> fields;
    std::copy_if(file.fields.begin(), file.fields.end(), std::back_inserter(fields),
                 [](const ScidacField& f) { return is_links(f.shape); });
    if (fields.empty())
        throw Error("{}: SciDAC file of {} fields, none of them a gauge field", bytes.name(),
                    file.fields.size());
    if (!number && fields.size() > 1)
        throw Error("{}: SciDAC file of {} gauge fields: --gauge-number says which, "
                    "from 0 to {}",
                    bytes.name(), fields.size(), fields.size() - 1);
    if (number.value_or(0) < 0 || std::size_t(number.value_or(0)) >= fields.size())
        throw Error("{}: there is no gauge field {}, there are {}", bytes.name(), *number,
                    fields.size());
    const ScidacField& field = fields[std::size_t(number.value_or(0))];
    GaugeFileHeader out;
    out.lattice = file.lattice;
    out.links = {.bits = field.shape.bits, .big_endian = true, .rows = 3};
    out.format_name =
        fmt::format("SciDAC, {} bits{}", out.links.bits, field.checksum ? "" : ", no checksum");
    out.data_offset = field.data.offset;
    out.scidac = field.checksum;
    return out;
}

ScidacChecksum read_scidac_checksum(const FileBytes& bytes, const LimeRecord& record)
{
    XmlFields fields(bytes, record, "scidacChecksum");
    fields.require_version();
    const auto sum = [&](const char* name) {
        const std::string text = fields.take(name);
        const auto value = parse_hex32(text);
        if (!value) throw fields.bad_value(name, text, "up to 8 hexadecimal digits");
        return *value;
    };
    const std::uint32_t suma = sum("suma");
    return {suma, sum("sumb")};
}

std::string scidac_file_xml(const Extents& lattice)
{
    const auto& [lx, ly, lz, lt] = lattice;
    return fmt::format("{}<scidacFile><version>1.1</version><spacetime>4</spacetime>"
                       "<dims>{} {} {} {} </dims><volfmt>0</volfmt></scidacFile>",
                       xml_declaration, lx, ly, lz, lt);
}

std::string scidac_record_xml(std::string_view library, std::string_view type, int bits,
                              std::uint64_t site_bytes, int data)
{
    const char precision = bits == 32 ? 'F' : 'D';
    // Readers insist on a date; the same field is the same file at any time.
    return fmt::format("{}<scidacRecord><version>1.1</version><date>none</date>"
                       "<recordtype>0</recordtype><datatype>{}_{}3_{}</datatype>"
                       "<precision>{}</precision><colors>3</colors><spins>4</spins>"
                       "<typesize>{}</typesize><datacount>{}</datacount></scidacRecord>",
                       xml_declaration, library, precision, type, precision, site_bytes / data,
                       data);
}

std::string scidac_checksum_xml(const ScidacChecksum& checksum)
{
    return fmt::format("{}<scidacChecksum><version>1.0</version><suma>{:08x}</suma>"
                       "<sumb>{:08x}</sumb></scidacChecksum>",
                       xml_declaration, checksum.suma, checksum.sumb);
}

} // namespace qcd

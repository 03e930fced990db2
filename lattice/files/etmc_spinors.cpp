#include "lattice/files/etmc_spinors.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/files/lime.hpp"
#include "lattice/files/scidac.hpp"
#include "lattice/files/xml_fields.hpp"

#include <fmt/format.h>

namespace qcd
{

namespace
{

class EtmcReader
{
public:
    EtmcReader(const FileBytes& bytes, const std::optional<Extents>& lattice)
        : bytes_(bytes), lattice_(lattice)
    {
    }

    SpinorFileHeader read()
    {
        LimeReader reader(bytes_);
        while (const auto record = reader.next()) take(*record);
        if (out_.records.empty()) throw error("no scidac-binary-data record");
        leave_out_sources();
        out_.format_name = spinor_format_name("tmLQCD", out_);
        out_.usual_basis = SpinBasis::chiral;
        out_.usual_phases = BoundaryPhases::spread;
        return std::move(out_);
    }

private:
    Error error(const std::string& problem) const
    {
        return Error("{}: {}", bytes_.name(), problem);
    }

    void take(const LimeRecord& record)
    {
        if (record.type == "propagator-type" || record.type == "source-type")
            take_type(std::string(trim(bytes_.text(record.offset, record.length))));
        else if (is_etmc_format(record.type))
            take_format(XmlFields(bytes_, record, "etmcFormat"));
        else if (record.type == "scidac-binary-data")
            take_data(record);
        else if (record.type == "scidac-checksum") {
            if (out_.records.empty() || out_.records.back().checksum)
                throw error("a scidac-checksum record without data before it");
            out_.records.back().checksum = read_scidac_checksum(bytes_, record);
        }
    }

    void take_type(const std::string& type)
    {
        if (type == "DiracFermion_Source_Sink_Pairs")
            pairs_ = true;
        else if (type != "DiracFermion_Sink" && type != "DiracFermion_Source")
            throw error(fmt::format("{} is no type of spinors that is read here, such as "
                                    "DiracFermion_Sink",
                                    qcd::quoted(type)));
    }

    void take_format(XmlFields fields)
    {
        if (const std::string field = fields.take("field"); field != "diracFermion")
            throw fields.bad_value("field", field, "diracFermion");
        const int bits = fields.take_bits();
        if (const std::string flavours = fields.take("flavours"); flavours != "1")
            throw fields.bad_value("flavours", flavours, "1");
        const Extents extents = fields.take_extents();
        if (formatted_ && (bits != out_.bits || extents != said_))
            throw error("spinors of different lattices or precisions");
        formatted_ = true;
        out_.bits = bits;
        said_ = extents;
        set_lattice();
    }

    void set_lattice()
    {
        out_.lattice = said_;
        Extents mistaken = lattice_.value_or(said_);
        mistaken[2] = mistaken[0];
        if (lattice_ && said_ != *lattice_ && said_ == mistaken) {
            out_.lattice = *lattice_;
            if (out_.notes.empty())
                out_.notes.push_back(
                    fmt::format("{}: says that lz is {}, as tmLQCD does whatever it "
                                "is; read as {}",
                                bytes_.name(), said_[2], to_string(*lattice_)));
        }
        require_lattice(out_.lattice, bytes_.name());
    }

    void take_data(const LimeRecord& record)
    {
        if (!formatted_) throw error("data before a format record");
        const std::uint64_t expected = std::uint64_t(volume(out_.lattice)) * 24 * out_.bits / 8;
        if (record.length != expected)
            throw error(fmt::format(
                "wrong size: {} has {} bytes, {} sites of {}-bit spinors have {}", record.type,
                record.length, to_string(out_.lattice), out_.bits, expected));
        out_.records.push_back({.offset = record.offset});
    }

    void leave_out_sources()
    {
        if (!pairs_) return;
        if (out_.records.size() % 2 != 0) throw error("a source without its sink");
        std::vector<StoredSpinors> sinks;
        for (std::size_t i = 1; i < out_.records.size(); i += 2) sinks.push_back(out_.records[i]);
        out_.records = sinks;
    }

    const FileBytes& bytes_;
    std::optional<Extents> lattice_;
    Extents said_{};
    bool formatted_ = false, pairs_ = false;
    SpinorFileHeader out_;
};

} // namespace

bool is_etmc_format(const std::string& type)
{
    return type == "etmc-propagator-format" || type == "etmc-source-format";
}

SpinorFileHeader read_etmc_spinors(const FileBytes& bytes, const std::optional<Extents>& lattice)
{
    return EtmcReader(bytes, lattice).read();
}

} // namespace qcd

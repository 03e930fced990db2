#include "lattice/files/scidac_spinors.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/files/scidac.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace qcd
{

namespace
{

constexpr std::uint64_t longest_user_xml = 1 << 20; ///< of a user's XML, what is looked at
constexpr int sources_of_propagator = 12;

std::string text_of(const FileBytes& bytes, const std::optional<LimeRecord>& record)
{
    return record ? bytes.text(record->offset, std::min(record->length, longest_user_xml)) : "";
}

/// The text of the first element of this name; users' XML nests as it likes.
std::optional<std::string> element(std::string_view xml, std::string_view name)
{
    const std::string open = fmt::format("<{}>", name), close = fmt::format("</{}>", name);
    const std::size_t begin = xml.find(open);
    if (begin == xml.npos) return std::nullopt;
    const std::string_view rest = xml.substr(begin + open.size());
    const std::size_t end = rest.find(close);
    if (end == rest.npos) return std::nullopt;
    return std::string(trim(rest.substr(0, end)));
}

/// 3 spin + colour of its source.
std::optional<int> source_number(std::string_view xml)
{
    if (xml.find("usqcdPropInfo") == xml.npos && xml.find("usqcdInfo") == xml.npos) return {};
    const auto spin = parse_number<int>(element(xml, "spin").value_or(""));
    const auto colour = parse_number<int>(element(xml, "color").value_or(""));
    if (!spin || !colour || *spin < 0 || *spin > 3 || *colour < 0 || *colour > 2) return {};
    return 3 * *spin + *colour;
}

class SpinorFields
{
public:
    SpinorFields(const FileBytes& bytes, const ScidacFile& file) : bytes_(bytes), file_(file)
    {
        out_.lattice = file.lattice;
        const std::string xml = text_of(bytes, file.user_xml);
        read_claims(xml);
        out_.info = element(xml, "info").value_or("");
    }

    SpinorFileHeader read()
    {
        for (const ScidacField& field : file_.fields) add(field);
        if (out_.records.empty()) throw error("no field of spinors");
        order();
        out_.format_name = spinor_format_name("SciDAC", out_);
        return std::move(out_);
    }

private:
    Error error(const std::string& problem) const
    {
        return Error("{}: SciDAC file: {}", bytes_.name(), problem);
    }

    void read_claims(std::string_view xml)
    {
        claim(out_.basis, xml, "spinBasis", spin_basis_of, "spin bases");
        claim(out_.phases, xml, "boundaryPhases", said_phases_of, "boundary phases");
    }

    /// All that says it says the same.
    template <class Value, class Parse>
    void claim(std::optional<Value>& known, std::string_view xml, const char* name,
               const Parse& parse, const char* what) const
    {
        const auto text = element(xml, name);
        if (!text) return;
        const std::optional<Value> value = parse(*text);
        if (!value) throw error(fmt::format("<{}> {} is not known", name, qcd::quoted(*text)));
        if (known && *known != *value) throw error(fmt::format("fields of several {}", what));
        known = value;
    }

    void add(const ScidacField& field)
    {
        const auto [datum, count] = content_of(field.shape);
        if (datum == ScidacDatum::number && count == 1) return; // the scalar source of a propagator
        const bool matrix = datum == ScidacDatum::propagator;
        if (!matrix && datum != ScidacDatum::spinor)
            throw error(
                fmt::format("{}: neither spinors nor a propagator", to_string(field.shape)));
        if (count == 0 || count > most_spinors_of_file || (matrix && count != 1))
            throw error(fmt::format("{}: {} in a record", to_string(field.shape),
                                    counted(long(count), matrix ? "propagator" : "spinor")));
        const std::string xml = text_of(bytes_, field.user_xml);
        if (xml.find("usqcdSourceInfo") != xml.npos) return;
        if (element(xml, "subset") == "parity") throw error("spinors on the sites of one parity");
        if (!out_.records.empty() && (out_.bits != field.shape.bits || matrix || out_.matrix))
            throw error("fields of different kinds");
        out_.bits = field.shape.bits;
        out_.matrix = out_.propagator = matrix;
        read_claims(xml);
        StoredSpinors stored{.offset = field.data.offset,
                             .checksum = field.checksum,
                             .spinors = matrix ? sources_of_propagator : int(count)};
        if (const auto digest = element(xml, "digest"); digest && stored.spinors == 1)
            stored.digest = read_digest(*digest);
        out_.records.push_back(stored);
        if (out_.spinors() > most_spinors_of_file)
            throw error(fmt::format("more than {} spinors", most_spinors_of_file));
        numbers_.push_back(source_number(xml));
        if (numbers_.back() && !matrix && count != 1)
            throw error(fmt::format("{} spinors in a record that says one source", count));
    }

    std::uint64_t read_digest(const std::string& text) const
    {
        const auto digest = parse_digest(text);
        if (!digest)
            throw error(fmt::format("<digest> {} is not 16 hexadecimal digits", qcd::quoted(text)));
        return *digest;
    }

    /// Twelve spinors by their sources, which only fields of one each say.
    void order()
    {
        if (out_.matrix || out_.spinors() != sources_of_propagator) return;
        std::vector<StoredSpinors> ordered(sources_of_propagator);
        std::vector<bool> found(sources_of_propagator);
        for (std::size_t i = 0; i < numbers_.size(); ++i) {
            if (!numbers_[i]) continue;
            ordered[*numbers_[i]] = out_.records[i];
            found[*numbers_[i]] = true;
        }
        const auto count = std::count(found.begin(), found.end(), true);
        const bool named =
            text_of(bytes_, file_.user_xml).find("USQCD_DiracFermion") != std::string::npos;
        if (count == sources_of_propagator)
            out_.records = ordered;
        else if (count != 0)
            throw error("twelve spinors, of which some are of the same source");
        out_.propagator = count != 0 || named;
    }

    const FileBytes& bytes_;
    const ScidacFile& file_;
    SpinorFileHeader out_;
    std::vector<std::optional<int>> numbers_; ///< of the sources
};

} // namespace

SpinorFileHeader read_scidac_spinors(const FileBytes& bytes)
{
    const ScidacFile file = read_scidac_file(bytes);
    return SpinorFields(bytes, file).read();
}

} // namespace qcd

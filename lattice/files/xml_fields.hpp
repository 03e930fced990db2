#pragma once
// The fields of an XML record of a LIME file, each asked for once.

#include "base/error.hpp"
#include "lattice/extents.hpp"
#include "lattice/files/lime.hpp"

#include <map>
#include <string>
#include <string_view>

namespace qcd
{

/// Errors name file and record.
class XmlFields
{
public:
    /// Throws Error where the record is no XML of this root element, or is longer than 64 kB.
    XmlFields(const FileBytes& bytes, const LimeRecord& record, std::string_view root);

    bool has(const std::string& name) const { return fields_.contains(name); }

    /// The root's are not XML.
    bool damaged_attributes() const { return damaged_attributes_; }

    std::string take(const std::string& name);
    /// A whole number of at least 0.
    std::uint64_t take_number(const std::string& name);

    /// <precision>, 32 or 64, of a real.
    int take_bits();
    /// <lx>, <ly>, <lz> and <lt>; any numbers.
    Extents take_extents();

    /// Takes <version>, which must be 1 or begin with "1.".
    void require_version();
    /// An element that nobody asked for may change the meaning of the data.
    void require_all_taken() const;

    std::string line(std::string_view text) const;
    Error error(const std::string& problem) const { return Error(line(problem)); }
    Error bad_value(std::string_view name, std::string_view value, std::string_view expected) const;

private:
    std::string what_;
    std::map<std::string, std::string> fields_;
    bool damaged_attributes_ = false;
};

} // namespace qcd

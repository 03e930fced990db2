#pragma once
// SciDAC files as QIO writes them, all sites in one file: LIME with the records
//   scidac-private-file-xml    the lattice
//   scidac-file-xml            the user's
// and for each field
//   scidac-private-record-xml  precision, bytes of a datum, data at a site
//   scidac-record-xml          the user's
//   scidac-binary-data         big-endian, site order (Grid calls it ildg-binary-data)
//   scidac-checksum            of the data; need not be there
// Other records are skipped.

#include "lattice/files/checksum.hpp"
#include "lattice/files/gauge_file.hpp"
#include "lattice/files/lime.hpp"
#include "lattice/files/scidac_datum.hpp"

#include <optional>
#include <string>
#include <vector>

namespace qcd
{

/// A field on all sites of the lattice. Its data are known to have the bytes of its shape on each.
struct ScidacField {
    ScidacShape shape;
    LimeRecord data;
    std::optional<LimeRecord> user_xml;
    std::optional<ScidacChecksum> checksum;
};

struct ScidacFile {
    Extents lattice{};
    std::optional<LimeRecord> user_xml;
    std::vector<ScidacField> fields; ///< in the file's order; of other records none
};

/// Throws Error where a record is missing, damaged, or contradicts another, and for files of which
/// this is one of several parts.
ScidacFile read_scidac_file(const FileBytes& bytes);

/// Does the record describe a field of spinors or of a propagator, or one that its type's name
/// calls so?
bool is_scidac_spinor(const FileBytes& bytes, const LimeRecord& record);

/// Throws Error where the record describes a field that is not links, four matrices at each site.
void require_scidac_links(const FileBytes& bytes, const LimeRecord& record);

/// Reads the header of the file's one field of links, or of the one of this number, from 0 on.
/// Throws Error.
GaugeFileHeader read_scidac_gauge_header(const FileBytes& bytes, std::optional<int> number = {});

ScidacChecksum read_scidac_checksum(const FileBytes& bytes, const LimeRecord& record);

std::string scidac_file_xml(const Extents& lattice);
/// The datatype is library_P3_type, as USQCD_D3_DiracFermion; data: of it at each site.
std::string scidac_record_xml(std::string_view library, std::string_view type, int bits,
                              std::uint64_t site_bytes, int data);
std::string scidac_checksum_xml(const ScidacChecksum& checksum);

} // namespace qcd

#pragma once
// The XML of ILDG and SciDAC records: one root element whose children hold only text.

#include <map>
#include <string>
#include <string_view>

namespace qcd
{

inline constexpr std::string_view xml_declaration = R"(<?xml version="1.0" encoding="UTF-8"?>)";

struct FlatXml {
    std::string root;                          ///< name without namespace prefix
    std::map<std::string, std::string> fields; ///< child name -> text, trimmed
    bool damaged_attributes = false;           ///< of the root: they are not XML
};

/// Accepts a declaration, comments, attributes, prefixes, white space, and NUL bytes at the end;
/// of the root also attributes that are not XML, such as with a quote missing: they are skipped.
/// Throws Error "what: ..." on anything else: children that are repeated or have children, text
/// between them, entities, unclosed elements, text after the root.
FlatXml parse_flat_xml(std::string_view text, std::string_view what);

} // namespace qcd

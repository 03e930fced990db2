#pragma once

#include <vector>

namespace qcd
{
struct Codelet;
}

/// A variant of each operation of codelets/, in double: their tables.
std::vector<const qcd::Codelet*> operations_of_qcd_codelets();
/// All operations of codelets/gauge/, on links.
std::vector<const qcd::Codelet*> operations_of_qcd_gauge();
/// All operations of codelets/ladder/; of each it has one version.
std::vector<const qcd::Codelet*> operations_of_qcd_ladder();

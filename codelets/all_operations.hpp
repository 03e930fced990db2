#pragma once

#include <vector>

namespace qcd
{
struct Codelet;
}

/// A variant of each operation of codelets/, in double: their tables.
std::vector<const qcd::Codelet*> operations_of_qcd_codelets();
/// The same of codelets/ladder/: one of an operation's versions.
std::vector<const qcd::Codelet*> operations_of_qcd_ladder();

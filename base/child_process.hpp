#pragma once
// A computation in a process of its own.

#include <functional>
#include <optional>
#include <string>

namespace qcd
{

/// What f returns; nothing where it crashed, or took longer than `seconds`: to this process nothing
/// happens then. An Error that f throws is thrown here. It is for libraries that read what
/// strangers wrote. f may use no thread but its own. Throws Error where no process can be made.
std::optional<std::string> in_child_process(const std::function<std::string()>& f,
                                            unsigned seconds);

} // namespace qcd

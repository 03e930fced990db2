#pragma once
// What an argument must be: numbers in range, files that can be read or written. Whatever would
// fail after hours of work is refused before it. The file checks throw Error naming the option.

#include "base/error.hpp"
#include "base/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qcd::cli
{

/// A whole number from low to high, nothing behind it; decimal, whatever zeros it begins with (so
/// for transform(), which lets it be rewritten).
CLI::Validator whole(long low, long high);

/// A finite real, nothing behind it, that satisfies `good`; `must` completes "'x' is not ...".
CLI::Validator real(std::function<bool(double)> good, const std::string& must);

/// Words of a flag, which may be given a value in a file of options.
CLI::Validator true_or_false();

/// The text of a file of options, cases, ... (`what`), without a byte order mark. Throws Error where
/// it is longer than such a file is, or has a byte 0.
std::string short_text(std::istream&, const std::string& option, const std::string& file,
                       std::string_view what);

/// A regular file that this user may read.
void check_readable(const std::string& option, const std::string& file);

/// A file that is not there yet or may be replaced by renaming another over it: writable, no
/// folder, no device, none that this process was given open. Symbolic links are followed.
void check_writable(const std::string& option, const std::string& file);

/// What write_whole() can write: a file as above, a pipe, a character device, an open descriptor.
void check_output(const std::string& option, const std::string& file);

/// Options and their files; "": none.
using OptionFiles = std::vector<std::pair<std::string, std::string>>;

/// Files of different options are different, also by way of symbolic and hard links.
void check_different(const OptionFiles&);

/// A folder, without a slash at its end, in which this user may write, or that he may make, with
/// those above it.
void check_folder(const std::string& option, const std::string& folder);

} // namespace qcd::cli

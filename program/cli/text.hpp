#pragma once

#include <string>

namespace qcd::cli
{

/// --help or --version: print on stdout, exit with 0.
struct Text {
    std::string text;
};

} // namespace qcd::cli

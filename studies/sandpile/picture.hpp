#pragma once

#include "studies/sandpile/plain.hpp"

#include <string>

namespace qcd::studies
{

/// A PNG with a pixel for each cell, coloured by its grains (0 to 3, and more). Whole or not at
/// all. Throws Error.
void write_picture(const std::string& file, const Pile&);

} // namespace qcd::studies

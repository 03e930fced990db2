#pragma once
// Memory in huge pages: ten concurrent streams would stall on address translation with small pages.

#include <cstddef>

namespace qcd
{

inline constexpr std::size_t huge_page = std::size_t(2) << 20, small_page = 4096;

/// Allocates so many bytes or more in whole huge pages, if there are such, or in small pages where
/// they do not fill a huge one; for std::free(). Not initialised: the thread that first writes a
/// page has it in its own memory. Null: not to be had.
void* allocate_huge(std::size_t bytes);

} // namespace qcd

#include "base/huge_pages.hpp"

#include <cstdlib>
#include <sys/mman.h>

namespace qcd
{

void* allocate_huge(std::size_t bytes)
{
    const std::size_t whole = (bytes + huge_page - 1) / huge_page * huge_page;
    void* const memory = std::aligned_alloc(huge_page, whole);
    if (memory != nullptr) madvise(memory, whole, MADV_HUGEPAGE);
    return memory;
}

} // namespace qcd

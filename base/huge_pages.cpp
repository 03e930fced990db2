#include "base/huge_pages.hpp"

#include <cstdlib>
#include <sys/mman.h>

namespace qcd
{

void* allocate_huge(std::size_t bytes)
{
    const bool is_small = bytes < huge_page;
    const std::size_t page = is_small ? small_page : huge_page;
    const std::size_t whole = (bytes + page - 1) / page * page;
    void* const memory = std::aligned_alloc(page, whole);
    if (memory != nullptr && !is_small) madvise(memory, whole, MADV_HUGEPAGE);
    return memory;
}

} // namespace qcd

#include "runtime/operation.hpp"

namespace qcd
{

const char* to_string(Mode mode)
{
    constexpr const char* words[] = {"R", "W", "RW"};
    return words[int(mode)];
}

std::vector<Slot> Operation::each_slot() const
{
    std::vector<Slot> each;
    for (Slot s : slots) {
        const int count = s.count;
        s.count = 1;
        each.insert(each.end(), count, s);
    }
    return each;
}

} // namespace qcd

#pragma once
// Unsigned integers in a stated byte order, from and to unaligned memory.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

namespace qcd
{

template <typename Word>
Word in_order(Word word, bool big_endian)
{
    if (big_endian == (std::endian::native == std::endian::big)) return word;
    std::byte bytes[sizeof(Word)];
    std::memcpy(bytes, &word, sizeof word);
    std::reverse(bytes, bytes + sizeof word);
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

template <typename Word>
Word load_word(const std::byte* from, bool big_endian)
{
    Word word;
    std::memcpy(&word, from, sizeof word);
    return in_order(word, big_endian);
}

template <typename Word>
void store_word(Word word, bool big_endian, std::byte* to)
{
    word = in_order(word, big_endian);
    std::memcpy(to, &word, sizeof word);
}

} // namespace qcd

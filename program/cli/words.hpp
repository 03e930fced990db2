#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace qcd
{

/// The words of an enumeration, in one place for parsing, help and output.
template <class T>
using Words = std::vector<std::pair<std::string_view, T>>;
template <class T>
std::string_view word_of(const Words<T>& words, const T& value)
{
    const auto found =
        std::find_if(words.begin(), words.end(), [&](const auto& w) { return w.second == value; });
    return found == words.end() ? "?" : found->first;
}
template <class T>
std::vector<std::string_view> names_in(const Words<T>& words)
{
    std::vector<std::string_view> names;
    for (const auto& word : words) names.push_back(word.first);
    return names;
}

} // namespace qcd

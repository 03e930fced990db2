#pragma once
// A large text, written a line at a time into a file that appears when it is complete.

#include "base/atomic_file.hpp"

#include <fmt/format.h>

#include <iterator>
#include <span>
#include <string>
#include <utility>

namespace qcd
{

class TextFile
{
public:
    explicit TextFile(const std::string& path) : file_(path) {}
    template <class... Args>
    void add(fmt::format_string<Args...> format, Args&&... args)
    {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        constexpr std::size_t at_once = 1 << 20;
        if (text_.size() >= at_once) write();
    }
    void commit()
    {
        write();
        file_.commit();
    }

private:
    void write()
    {
        file_.append(std::as_bytes(std::span(text_)));
        text_.clear();
    }

    AtomicFile file_;
    std::string text_;
};

} // namespace qcd

#pragma once
// A text file that is written as TextFile writes one, and compressed as gzip does.

#include "traces/text_file.hpp"

#include <memory>

namespace qcd
{

class GzipFile
{
public:
    explicit GzipFile(const std::string& path);
    ~GzipFile();
    template <class... Args>
    void add(fmt::format_string<Args...> format, Args&&... args)
    {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        constexpr std::size_t at_once = 1 << 20;
        if (text_.size() >= at_once) compress(false);
    }
    void commit();

private:
    void compress(bool last);

    struct Stream; // zlib's
    AtomicFile file_;
    std::unique_ptr<Stream> stream_;
    std::string text_;
};

} // namespace qcd

#pragma once
// Files that a test makes and leaves nothing of.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace qcd::test
{

/// A new folder, gone with what is in it at the end of its life.
class Scratch
{
public:
    Scratch()
    {
        std::string name = std::filesystem::temp_directory_path() / "qcd-test-XXXXXX";
        if (!mkdtemp(name.data())) throw std::runtime_error("no scratch folder " + name);
        path_ = name;
    }
    ~Scratch()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::string operator/(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

/// "" if there is none.
inline std::string read_text(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_text(const std::string& file, const std::string& text)
{
    std::ofstream(file, std::ios::binary) << text;
}

} // namespace qcd::test

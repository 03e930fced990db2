#include "drivers/tuning/shape_file.hpp"

#include "drivers/version.hpp"
#include "lattice/error.hpp"
#include "lattice/files/atomic_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <span>
#include <utility>

namespace qcd
{

std::string kept_folder()
{
    for (const auto& [name, below] :
         {std::pair("XDG_CACHE_HOME", "/qcd_starpu"), std::pair("STARPU_HOME", "/qcd_starpu"),
          std::pair("HOME", "/.cache/qcd_starpu")})
        if (const char* value = std::getenv(name); value && *value)
            return std::string(value) + below;
    return "";
}

namespace
{

using Json = nlohmann::ordered_json;

constexpr int format = 5;
constexpr std::size_t largest_file = 1 << 20;

/// What a file's name may hold.
std::string plain(std::string text)
{
    for (char& c : text)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.') c = '-';
    return text;
}

std::string file_of(const CudaDevice& d, const std::string& build)
{
    const std::string where = kept_folder();
    return where.empty() ? ""
                         : plain(fmt::format("launch-shapes_{}_sm{}_driver{}_{}.json", d.name,
                                             d.compute_capability, d.driver, build))
                               .insert(0, where + "/");
}

/// Throws what nlohmann throws, or Error.
MeasuredShape shape_of(const Json& j)
{
    const auto kernel = shaped_kernel(j.at("kernel").get<std::string>());
    if (!kernel) throw Error("unknown kernel");
    const LaunchCase launch{.kernel = *kernel,
                            .real_bits = j.at("real_bits").get<int>(),
                            .math_bits = j.at("math_bits").get<int>(),
                            .links = j.at("links").get<int>(),
                            .blocks = j.at("blocks").get<std::array<int, 4>>()};
    const LaunchShape shape{.brick = j.at("brick").get<std::array<int, 4>>(),
                            .z_chunk = j.at("z_chunk").get<int>()};
    if (!fits(shape, launch)) throw Error("a shape that its kernel cannot have");
    return {{launch, shape}, j.at("us").get<double>(), j.at("default_us").get<double>()};
}

} // namespace

Json to_json(const CudaDevice& d)
{
    return {{"name", d.name},
            {"compute_capability", d.compute_capability},
            {"multiprocessors", d.multiprocessors},
            {"driver", d.driver}};
}

Json to_json(const MeasuredShape& m)
{
    const LaunchCase& l = m.choice.launch;
    return {{"kernel", to_string(l.kernel)},
            {"real_bits", l.real_bits},
            {"math_bits", l.math_bits},
            {"links", l.links},
            {"blocks", l.blocks},
            {"brick", m.choice.shape.brick},
            {"z_chunk", m.choice.shape.z_chunk},
            {"us", m.us},
            {"default_us", m.default_us}};
}

Json to_json(const ShapeReport& r)
{
    Json shapes = Json::array();
    for (const MeasuredShape& m : r.shapes) shapes.push_back(to_json(m));
    return {{"file", r.file}, {"seconds", r.seconds}, {"shapes", shapes}};
}

void print_text(std::ostream& out, const ShapeReport& r)
{
    out << fmt::format("  launch shapes of CUDA kernels, kept in {}\n",
                       r.file.empty() ? "no file" : r.file)
        << fmt::format("    {:<19}{:>5}{:>6}  {:<13}{:<10}{:>8}{:>12}{:>9}\n", "kernel", "bits",
                       "links", "blocks", "brick", "z chunk", "default us", "us");
    for (const MeasuredShape& m : r.shapes) {
        const auto& [l, s] = m.choice;
        const std::string chunk = s.z_chunk ? fmt::format("{}", s.z_chunk) : "by L2";
        out << fmt::format("    {:<19}{:>5}{:>6}  {:<13}{:<10}{:>8}{:>12.1f}{:>9.1f}\n",
                           to_string(l.kernel), l.real_bits, l.links,
                           fmt::format("{}", fmt::join(l.blocks, "x")),
                           fmt::format("{}", fmt::join(s.brick, "x")), chunk, m.default_us, m.us);
    }
    if (r.shapes.empty()) out << "    none was measured yet: all are the default\n";
}

ShapeFile::ShapeFile(const CudaDevice& device)
    : device_(device), build_(fmt::format("{}-{}", version(), kernels_hash())),
      path_(file_of(device_, build_))
{
}

ShapeFile::ShapeFile(std::string path, const CudaDevice& device, std::string build)
    : device_(device), build_(std::move(build)), path_(std::move(path))
{
}

std::vector<MeasuredShape> ShapeFile::read(std::string& problem) const
{
    problem.clear();
    std::error_code none;
    if (path_.empty() || !std::filesystem::exists(path_, none)) return {};
    try {
        if (const auto size = std::filesystem::file_size(path_); size > largest_file)
            throw Error("too large");
        std::ifstream in(path_);
        const Json j = Json::parse(in);
        if (j.at("format").get<int>() != format || j.at("device") != to_json(device_) ||
            j.at("build").get<std::string>() != build_)
            throw Error("it is of another device or build");
        std::vector<MeasuredShape> shapes;
        for (const Json& shape : j.at("shapes")) shapes.push_back(shape_of(shape));
        return shapes;
    } catch (const nlohmann::json::exception&) {
        problem = fmt::format("{} is not used: it is damaged", path_);
    } catch (const std::exception& e) {
        problem = fmt::format("{} is not used: {}", path_, failure_of(e).line);
    }
    return {};
}

std::string ShapeFile::write(const std::vector<MeasuredShape>& shapes) const
{
    if (path_.empty())
        return "launch shapes are not kept: STARPU_HOME, XDG_CACHE_HOME and HOME are not set";
    Json list = Json::array();
    for (const MeasuredShape& m : shapes) list.push_back(to_json(m));
    const std::string text =
        Json{{"format", format}, {"device", to_json(device_)}, {"build", build_}, {"shapes", list}}
            .dump(1) +
        "\n";
    try {
        std::filesystem::create_directories(std::filesystem::path(path_).parent_path());
        AtomicFile file(path_);
        file.append(std::as_bytes(std::span(text)));
        file.commit();
    } catch (const std::exception& e) {
        return fmt::format("launch shapes are not kept: {}", failure_of(e).line);
    }
    return "";
}

} // namespace qcd

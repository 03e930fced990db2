// Choosing launch shapes from measurements, and keeping them between runs.

#include "drivers/tuning/shape_file.hpp"
#include "drivers/tuning/shape_search.hpp"
#include "runtime/environment.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>

using namespace qcd;
namespace fs = std::filesystem;

namespace
{

const CudaDevice h200{"NVIDIA H200", "9.0", 132, "13.0"};
const LaunchCase bare{.kernel = ShapedKernel::hopping,
                      .real_bits = 32,
                      .math_bits = 32,
                      .links = 12,
                      .blocks = {8, 8, 8, 64}};
const std::vector<MeasuredShape> two{
    {{bare, {.brick = {4, 2, 1, 1}, .z_chunk = 4}}, 158.25, 163.5},
    {{{.kernel = ShapedKernel::hopping_sums_with_faces, .blocks = {6, 6, 6, 24}}, {}}, 92, 92}};

/// A device on which each shape takes this long, and every measurement a bit more or less.
class Device
{
public:
    explicit Device(std::function<double(const LaunchShape&)> seconds, double noise = 0)
        : seconds_(std::move(seconds)), noise_(noise)
    {
    }
    double operator()(const LaunchShape& s)
    {
        ++calls;
        state_ = state_ * 1103515245u + 12345u;
        return seconds_(s) * (1 + noise_ * (double(state_ >> 16 & 0xff) / 255 - 0.5));
    }
    int calls = 0;

private:
    std::function<double(const LaunchShape&)> seconds_;
    double noise_;
    unsigned state_ = 1;
};

MeasuredShape search(Device& device) { return search_shape(bare, std::ref(device)); }

} // namespace

TEST_CASE("kept launch shapes are read again as they were")
{
    const test::Scratch folder;
    const ShapeFile file(folder / "not/there/yet.json", h200, "1.0.0-abc");
    std::string problem = "x";
    CHECK(file.read(problem).empty());
    CHECK(problem.empty()); // no file is no problem
    CHECK(file.write(two).empty());
    CHECK(file.read(problem) == two);
    CHECK(problem.empty());
    CHECK(file.write({two[0]}).empty());
    CHECK(file.read(problem) == std::vector{two[0]});
    CHECK(std::distance(fs::directory_iterator(folder / "not/there"), {}) == 1); // no temporary one
}

TEST_CASE("launch shapes of another device or build are not used")
{
    const test::Scratch folder;
    const std::string path = folder / "shapes.json";
    REQUIRE(ShapeFile(path, h200, "1.0.0-abc").write(two).empty());
    auto other = h200;
    const auto refused = [&](const CudaDevice& device, const std::string& build) {
        std::string problem;
        CHECK(ShapeFile(path, device, build).read(problem).empty());
        CHECK(problem.find("another device or build") != std::string::npos);
    };
    refused(h200, "1.0.0-abd");
    other.name = "NVIDIA A100";
    refused(other, "1.0.0-abc");
    other = h200;
    other.driver = "12.4";
    refused(other, "1.0.0-abc");
    other = h200;
    other.multiprocessors = 66;
    refused(other, "1.0.0-abc");
}

TEST_CASE("a damaged file of launch shapes is as none, and is said in one line")
{
    const test::Scratch folder;
    const std::string path = folder / "shapes.json";
    const ShapeFile file(path, h200, "1.0.0-abc");
    REQUIRE(file.write(two).empty());
    const std::string good = test::read_text(path);
    const auto refused = [&](const std::string& text) {
        INFO(text);
        test::write_text(path, text);
        std::string problem;
        CHECK(file.read(problem).empty());
        CHECK(problem.find("is not used") != std::string::npos);
        CHECK(problem.find('\n') == std::string::npos);
    };
    for (std::size_t size = 0; size + 2 < good.size(); size += 7) refused(good.substr(0, size));
    const auto replaced = [&](const std::string& what, const std::string& by) {
        REQUIRE(good.find(what) != std::string::npos);
        return std::string(good).replace(good.find(what), what.size(), by);
    };
    refused(replaced("\"format\": 5", "\"format\": 4"));
    refused(replaced("\"shapes\"", "\"shape\""));
    refused(replaced("\"hopping\"", "\"no_such_kernel\""));
    refused(replaced("\"z_chunk\": 4", "\"z_chunk\": -4"));
    refused(replaced("\"z_chunk\": 4", "\"z_chunk\": \"4\""));
    refused(replaced("\"brick\": [\n    4", "\"brick\": [\n    400")); // too many warps
    refused(replaced("\"brick\": [\n    4,", "\"brick\": ["));         // three extents
    refused("\xff\xfe rubbish");
    refused("[1, 2]");
    refused(std::string(2 << 20, ' '));
    CHECK(file.write(two).empty()); // and is replaced
    std::string problem;
    CHECK(file.read(problem) == two);
}

TEST_CASE("what cannot be kept is said in one line")
{
    const test::Scratch folder;
    test::write_text(folder / "file", "x");
    for (const std::string& path : {folder / "file/shapes.json", std::string()}) {
        const std::string problem = ShapeFile(path, h200, "1").write(two);
        CHECK(problem.find("not kept") != std::string::npos);
        CHECK(problem.find('\n') == std::string::npos);
    }
    fs::create_directory(folder / "folder");
    CHECK(!ShapeFile(folder / "folder", h200, "1").write(two).empty());
    std::string problem;
    CHECK(ShapeFile(folder / "folder", h200, "1").read(problem).empty());
    CHECK(!problem.empty());
}

TEST_CASE("the file's name says device and build, its folder follows the environment")
{
    Environment environment;
    environment.unset("XDG_CACHE_HOME");
    environment.set("STARPU_HOME", "/somewhere");
    const std::string path = ShapeFile(h200).path();
    CHECK(path.starts_with("/somewhere/qcd_starpu/launch-shapes-NVIDIA-H200-sm9.0-driver13.0-"));
    CHECK(path.ends_with(".json"));
    auto rude = h200;
    rude.name = "../../etc/x";
    CHECK(fs::path(ShapeFile(rude).path()).parent_path() == "/somewhere/qcd_starpu");
    environment.set("XDG_CACHE_HOME", "/cache"); // StarPU's order
    CHECK(ShapeFile(h200).path().starts_with("/cache/qcd_starpu/"));
    environment.unset("XDG_CACHE_HOME");
    environment.unset("STARPU_HOME");
    environment.set("HOME", "/home/me");
    CHECK(ShapeFile(h200).path().starts_with("/home/me/.cache/qcd_starpu/"));
    environment.unset("HOME");
    CHECK(ShapeFile(h200).path().empty());
}

TEST_CASE("a shape that is clearly faster is chosen, with its chunk of z")
{
    const LaunchShape best{.brick = {4, 2, 1, 1}, .z_chunk = 4};
    Device device(
        [&](const LaunchShape& s) {
            return 1e-4 * (s.brick == best.brick ? 1 : 1.1) * (s.z_chunk == best.z_chunk ? 0.9 : 1);
        },
        0.01);
    const MeasuredShape m = search(device);
    CHECK(m.choice.launch == bare);
    CHECK(m.choice.shape == best);
    CHECK(m.us == Approx(90).epsilon(0.01));
    CHECK(m.default_us == Approx(110).epsilon(0.01));
    CHECK(device.calls < 160);
}

TEST_CASE("the default stays where the gain is within the noise")
{
    const double gain = GENERATE(0.0, 0.005);
    const double noise = GENERATE(0.0, 0.01);
    Device device(
        [&](const LaunchShape& s) {
            return s.brick == LaunchShape{}.brick ? 1e-4 : 1e-4 / (1 + gain);
        },
        noise);
    const MeasuredShape m = search(device);
    CHECK(m.choice.shape == LaunchShape{});
    CHECK(m.us == m.default_us);
}

TEST_CASE("a lucky measurement does not make a shape the winner")
{
    int calls = 0;
    const MeasuredShape m = search_shape(bare, [&](const LaunchShape&) {
        return ++calls % 17 == 3 ? 5e-5 : 1e-4; // half the time now and then, whatever the shape
    });
    CHECK(m.choice.shape == LaunchShape{});
}

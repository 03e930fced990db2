// Any bytes are a file of launch shapes, which read again as they are written, or none and one line
// that says why.

#include "drivers/tuning/shape_file.hpp"
#include "tests/fuzz/pieces.hpp"
#include "tests/scratch.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace qcd;
    static const test::Scratch folder;
    static const ShapeFile file(folder / "shapes.json", {"NVIDIA H200", "9.0", 132, "13.0"},
                                "build");
    test::write_text(file.path(), {reinterpret_cast<const char*>(data), size});
    std::string problem;
    const auto shapes = file.read(problem);
    if (!problem.empty()) {
        test::require_one_line(problem);
        return 0;
    }
    if (!file.write(shapes).empty()) std::abort();
    if (file.read(problem) != shapes || !problem.empty()) std::abort();
    return 0;
}

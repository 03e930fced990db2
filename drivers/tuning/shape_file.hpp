#pragma once
// The file that keeps tuned launch shapes between runs: one for each kind of device and build. No
// StarPU, no CUDA.

#include "drivers/tuning/shape_search.hpp"
#include "runtime/cuda_device.hpp"

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace qcd
{

/// What runs measure of this machine for later ones is kept there, beside StarPU's calibration: in
/// XDG_CACHE_HOME, else STARPU_HOME, else ~/.cache; empty: nowhere.
std::string kept_folder();

/// name, compute_capability, multiprocessors, driver
nlohmann::ordered_json to_json(const CudaDevice&);
/// kernel, real_bits, math_bits, links, blocks, brick, z_chunk, us, default_us
nlohmann::ordered_json to_json(const MeasuredShape&);

/// What a run's kernels were launched with.
struct ShapeReport {
    std::string file;   ///< where shapes are kept; empty: nowhere
    double seconds = 0; ///< that measuring took; 0: all were known
    std::vector<MeasuredShape> shapes;
};
/// file, seconds, shapes
nlohmann::ordered_json to_json(const ShapeReport&);
void print_text(std::ostream&, const ShapeReport&);

class ShapeFile
{
public:
    /// In kept_folder(). The build is the program's version and a hash of the kernels.
    explicit ShapeFile(const CudaDevice&);
    /// For tests.
    ShapeFile(std::string path, const CudaDevice& device, std::string build);

    const std::string& path() const { return path_; } ///< empty: there is no such folder

    /// What was kept. A file that is damaged, or of another device or build, is as none: `problem`
    /// says so in one line, or is empty.
    std::vector<MeasuredShape> read(std::string& problem) const;
    /// Puts these in place of what was kept, at once or not at all. Returns why it could not;
    /// empty: it could.
    std::string write(const std::vector<MeasuredShape>&) const;

private:
    CudaDevice device_;
    std::string build_, path_;
};

} // namespace qcd

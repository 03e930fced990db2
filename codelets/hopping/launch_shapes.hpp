#pragma once
// How the CUDA kernels of hops deal out the blocks of a tile to thread blocks. The shapes can be
// chosen at run time and change no bits; the best ones differ from device to device, so a run may
// bring its own (drivers/tuning/tuning.hpp). No StarPU, no CUDA.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qcd
{

/// A thread block computes a brick of the tile's blocks (device/shape.h), a warp each.
struct LaunchShape {
    std::array<int, 4> brick{2, 2, 1, 1}; ///< x, y, z, t
    int z_chunk = 0; ///< planes of blocks before t moves on; 0: by the device's second cache
    int rows = 1;    ///< right-hand sides, at most, of whose brick a thread block has each
    int warps() const { return brick[0] * brick[1] * brick[2] * brick[3]; }
    bool operator==(const LaunchShape&) const = default;
};
/// The default for several right-hand sides.
constexpr LaunchShape shape_of_several() { return {.brick = {1, 1, 1, 1}, .rows = 6}; }

/// The kernels whose shape can be chosen: those of hops, named as in bench.
enum class ShapedKernel {
    hopping,
    hopping_add,
    hopping_sums,
    hopping_with_faces,
    hopping_add_with_faces,
    hopping_sums_with_faces
};
inline constexpr int shaped_kernels = 6;
/// What hops of each HopKind (hop_kinds.hpp) on a tile are launched as: with faces where it
/// is cut.
constexpr std::array<ShapedKernel, 3> kernels_of_hops(bool faces)
{
    using enum ShapedKernel;
    if (faces) return {hopping_with_faces, hopping_add_with_faces, hopping_sums_with_faces};
    return {hopping, hopping_add, hopping_sums};
}
const char* to_string(ShapedKernel);
std::optional<ShapedKernel> shaped_kernel(std::string_view name);

/// What a shape is chosen for.
struct LaunchCase {
    ShapedKernel kernel = ShapedKernel::hopping;
    int real_bits = 64, math_bits = 64; ///< of stored fields, of the arithmetic
    int links = 18;                     ///< reals stored per link
    std::array<int, 4> blocks{};        ///< of the tile, per direction
    bool several = false;               ///< right-hand sides
    bool operator==(const LaunchCase&) const = default;
};

/// Most warps of a thread block of this kernel.
int most_warps(const LaunchCase&);

/// Can the kernel be launched so?
bool fits(const LaunchShape&, const LaunchCase&);

struct ShapeChoice {
    LaunchCase launch;
    LaunchShape shape;
    bool operator==(const ShapeChoice&) const = default;
};

/// As options have it, KERNEL@BLOCKS=BRICK/Z_CHUNK, of several right-hand sides /ROWS behind it:
/// "hopping@4x4x4x8=4x2x1x1/0", "hopping@4x4x4x8=2x1x1x1/0/6". Of the case it says the kernel and
/// the tile's blocks, which with a run's precision and links decide the rest.
std::string to_string(const ShapeChoice&);
std::optional<ShapeChoice> parse_shape_choice(const std::string&);

/// From now on kernels are launched so; all that is not named, and what does not fit, as
/// LaunchShape{} or shape_of_several(). Not while tasks run.
void use_launch_shapes(std::vector<ShapeChoice>);
LaunchShape launch_shape(const LaunchCase&);

/// What is worth trying: bricks for which the tile has enough blocks and that leave few warps idle,
/// the default first.
std::vector<LaunchShape> brick_candidates(const LaunchCase&);
/// The shape with other chunks of z.
std::vector<LaunchShape> chunk_candidates(const LaunchCase&, const LaunchShape&);

} // namespace qcd

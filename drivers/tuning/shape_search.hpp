#pragma once
// Which of a kernel's launch shapes is the fastest here. No StarPU, no CUDA.

#include "codelets/hopping/launch_shapes.hpp"

#include <functional>

namespace qcd
{

/// Another shape than the default must promise so much, or it may be noise.
inline constexpr double least_shape_gain = 1.01;

/// A shape with the time of a call, and that of the default shape, in microseconds.
struct MeasuredShape {
    ShapeChoice choice;
    double us = 0, default_us = 0;
    bool operator==(const MeasuredShape&) const = default;
};

/// Seconds of one call in this shape, measured once: repeated for a median.
using ShapeTimer = std::function<double(const LaunchShape&)>;

/// The best brick; the best chunk of z with it; then it and the default in turn: that stays unless
/// the gain is least_shape_gain. Times of some 100 calls or, where they differ much, fewer.
MeasuredShape search_shape(const LaunchCase&, const ShapeTimer&);

} // namespace qcd

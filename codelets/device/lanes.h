#pragma once
// vreal: the lanes one call of a site function computes. One thread is one lane on a GPU (vreal =
// math); on the host a vreal is a SIMD register and `lanes` says which of a block's 32 lanes it
// stands for. Rows are addressed by a pointer to the caller's lane(s) of row 0: vload(p +
// QCD_ROW*row).

#include "codelets/device/shape.h"

#if !defined(__OPENCL_VERSION__) && !defined(__CUDACC__)
#include "codelets/device/lanes_host.h"
#else

QCD_BEGIN

typedef math vreal;
typedef double vdouble; // sums inside a site are taken in double

typedef struct {
    int lane;
} lanes;

QCD_FN vreal vload(QCD_GLOBAL const plain* p) { return (math)*p; }
/// Loads what a kernel reads once (links), so that it is the first to leave the caches.
QCD_FN vreal vload_once(QCD_GLOBAL const plain* p)
{
#if defined(__CUDA_ARCH__)
    return (math)__ldcs(p);
#elif defined(__NV_CL_C_VERSION) // NVIDIA's OpenCL has no word for it
    plain x;
#if QCD_WORD_BITS == 64
    __asm("ld.global.cs.f64 %0, [%1];" : "=d"(x) : "l"(p));
#else
    __asm("ld.global.cs.f32 %0, [%1];" : "=f"(x) : "l"(p));
#endif
    return (math)x;
#else
    return (math)*p;
#endif
}
QCD_FN vreal vload_face(QCD_GLOBAL const math* p) { return *p; }
QCD_FN void vstore(QCD_GLOBAL plain* p, vreal v) { *p = (plain)v; }
QCD_FN void vstream(QCD_GLOBAL plain* p, vreal v) { *p = (plain)v; }
QCD_FN void vstore_face(QCD_GLOBAL math* p, vreal v) { *p = v; }
QCD_FN vreal vset(double x) { return (math)x; }
QCD_FN vreal vfma(vreal a, vreal b, vreal c) { return fma(a, b, c); }
QCD_FN vreal vfnma(vreal a, vreal b, vreal c) { return fma(-a, b, c); }
/// 1/x, 1 <= x < 2^125. OpenCL rounds divisions correctly in double only. The step of Newton's
/// method changes nothing, but without it a compiler may make of this a division of floats, which
/// is 2.5 ulp off. CUDA's own division of floats takes these two steps, after a branch for other x,
/// over which no load is moved.
QCD_FN vreal vinverse(vreal x)
{
#if defined(__CUDA_ARCH__) && QCD_MATH_BITS == 32
    vreal near;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(near) : "f"(x));
    return fma(near, fma(-x, near, 1.0f), near);
#elif defined(__OPENCL_VERSION__)
    const double d = 1.0 / (double)x;
    return (math)(sizeof(math) == 8 ? d : fma(fma(-(double)x, d, 1.0), d, d));
#else
    return 1 / x;
#endif
}
QCD_FN vdouble vdset(double x) { return x; }
QCD_FN vdouble vdot(vdouble sum, vreal a, vreal b) { return fma((double)a, (double)b, sum); }
QCD_FN vdouble vndot(vdouble sum, vreal a, vreal b) { return fma(-(double)a, (double)b, sum); }

/// Offset of a lane in row 0 of a block of `rows` rows.
QCD_FN int lane_offset(int lane, int rows)
{
    return lane + (lane & (QCD_LANES - QCD_ROW)) * (rows - 1); // of whole pieces before it
}
QCD_FN int own_lanes(int rows, lanes w) { return lane_offset(w.lane, rows); }

/// Pointer whose rows hold, after a step that crosses or does not, those of the block at
/// field[block]. On the host what is computed from them must still be rotated into the caller's
/// lanes if it crosses: projections and products are rotated, which are fewer rows than spinors and
/// links.
QCD_FN QCD_GLOBAL const real* stepped_rows(QCD_GLOBAL const real* field, int block, int crosses,
                                           int rows, tile_shape g, int mu, int sign, lanes w)
{
    const int lane = crosses ? neighbour_lane(g, w.lane, mu, sign) : w.lane;
    return field + (block + lane_offset(lane, rows)); // one sum of 64 bits
}

QCD_FN int must_rotate(int mu, int sign, lanes w) { return 0; }
QCD_FN vreal rotate(vreal v, int mu, int sign, lanes w) { return v; }

// Hints which rows are needed soon. Warps hide latency by themselves.
QCD_FN void prefetch_share(QCD_GLOBAL const real* block_rows, int count, int pieces, lanes w) {}
QCD_FN void request_share(QCD_GLOBAL const real* block_rows, int count, int pieces, lanes w) {}
QCD_FN void request_rest(QCD_GLOBAL const real* block_rows, int count, lanes w) {}
QCD_FN void request_piece(QCD_GLOBAL const void* rows, int count, lanes w) {}
QCD_FN void request_rows(QCD_GLOBAL const void* rows, int count) {}

/// Are all (any) of the caller's lanes at the tile's edge?
QCD_FN int all_at_edge(tile_shape g, int mu, int sign, lanes w)
{
    return lane_at_edge(g, w.lane, mu, sign);
}
QCD_FN int any_at_edge(tile_shape g, int mu, int sign, lanes w)
{
    return lane_at_edge(g, w.lane, mu, sign);
}
/// -1 in the lanes at the tile's edge, 1 in the others.
QCD_FN vreal edge_sign(tile_shape g, int mu, int sign, lanes w)
{
    return lane_at_edge(g, w.lane, mu, sign) ? vset(-1) : vset(1);
}
QCD_FN QCD_GLOBAL const math* crossed_face_rows(QCD_GLOBAL const math* base, tile_shape g, int mu,
                                                int sign, lanes w)
{
    return base + lane_offset(neighbour_lane(g, w.lane, mu, sign), QCD_HALF_ROWS);
}
QCD_END

#endif

#ifdef __CUDACC__

QCD_DEVICE_GROUP_KERNELS(wave_vector, wave_args, wave, wave_vector_groups)

#else

#include <algorithm>

QCD_BEGIN

/// Row by row: what a cell reads is in nine rows, but for that beside the row's ends.
/// after_cell(x) is what comes after each cell inside.
template <class AfterCell>
static inline __attribute__((always_inline)) void wave_rows(const void* args, void* const* p,
                                                            CpuShare share, AfterCell after_cell)
{
    const auto call = study_call<decltype(wave_plain_cell)>(args, p);
    const wave_args a = call.args;
    const wave_buffers f = call.buffers;
    constexpr int layers = QCD_WAVE_LAYERS;
    const int nx = a.n[0], inside_end = std::max(layers, nx - layers);
    for (int row = share.first(a.rows); row < share.end(a.rows); ++row) {
        const int y = row % a.n[1], z = row / a.n[1];
        const auto column = [&](int dx, int dy) {
            const wave_column c = wave_column_at(a, f, dx, y + dy);
            return c.at + z * c.step;
        };
        const auto over = [&](int dz) { return wave_layer(a, f, z + dz) + y * nx; };
        const real *own = f.u + row * nx, *y1 = column(0, 1), *y2 = column(0, 2),
                   *y_1 = column(0, -1), *y_2 = column(0, -2), *z1 = over(1), *z2 = over(2),
                   *z_1 = over(-1), *z_2 = over(-2);
        real* before = f.before + row * nx;
        const auto cell = [&](int x, real near_x, real far_x) {
            before[x] = wave_after(a.courant2, own[x], before[x], near_x, y1[x] + y_1[x],
                                   z1[x] + z_1[x], far_x, y2[x] + y_2[x], z2[x] + z_2[x]);
        };
        const real behind[layers] = {*column(-2, 0), *column(-1, 0)},
                   ahead[layers] = {*column(nx, 0), *column(nx + 1, 0)};
        const auto at = [&](int x) {
            return x < 0 ? behind[x + layers] : x < nx ? own[x] : ahead[x - nx];
        };
        const auto end_cell = [&](int x) { cell(x, at(x + 1) + at(x - 1), at(x + 2) + at(x - 2)); };
        for (int x = 0; x < layers && x < nx; ++x) end_cell(x);
#pragma GCC ivdep
        for (int x = layers; x < inside_end; ++x) {
            cell(x, own[x + 1] + own[x - 1], own[x + 2] + own[x - 2]);
            after_cell(x);
        }
        for (int x = inside_end; x < nx; ++x) end_cell(x);
    }
}

void wave_vector_cpu(const void* args, void* const* p, CpuShare share)
{
    wave_rows(args, p, share, [](int&) {});
}

/// Computes as if compiled without vectors: the empty asm after each cell keeps cells apart.
void wave_plain_cpu(const void* args, void* const* p, CpuShare share)
{
    wave_rows(args, p, share, [](int& x) { asm("" : "+r"(x)); });
}

QCD_END

#endif

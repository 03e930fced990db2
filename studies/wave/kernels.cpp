#include "studies/frame/kernels.hpp"
#include "studies/wave/site.h"

QCD_CELL_KERNELS(wave_copy)

#ifdef __CUDACC__

QCD_STENCIL_KERNELS(wave_plain)
QCD_STENCIL_KERNELS(wave_vector)

#else

QCD_BEGIN

/// A row: its ends, and between them what lies in the part.
template <class Inside>
static inline __attribute__((always_inline)) void wave_rows(const void* args, void* const* p,
                                                            CpuShare share, Inside inside)
{
    const auto a = *static_cast<const wave_args*>(args);
    const auto f = study_buffers<wave_buffers>(p);
    const int rows = wave_plain_rows(a), columns = a.n[0], layers = QCD_WAVE_LAYERS;
    for (int row = share.first(rows); row < share.end(rows); ++row) {
        int x = 0;
        if (wave_inner_row(a, row) && columns > 2 * layers) {
            for (; x < layers; ++x) wave_general(a, f, x, row);
            inside(a, f, row);
            x = columns - layers;
        }
        for (; x < columns; ++x) wave_general(a, f, x, row);
    }
}

void wave_vector_cpu(const void* args, void* const* p, CpuShare share)
{
    wave_rows(args, p, share, [](const wave_args& a, const wave_buffers& f, int row) {
#pragma GCC ivdep
        for (int x = QCD_WAVE_LAYERS; x < a.n[0] - QCD_WAVE_LAYERS; ++x) wave_inside(a, f, x, row);
    });
}

/// As compiled without vectors: what is asked for after each cell keeps them apart.
void wave_plain_cpu(const void* args, void* const* p, CpuShare share)
{
    wave_rows(args, p, share, [](const wave_args& a, const wave_buffers& f, int row) {
        for (int x = QCD_WAVE_LAYERS; x < a.n[0] - QCD_WAVE_LAYERS; ++x) {
            wave_inside(a, f, x, row);
            asm("" : "+r"(x));
        }
    });
}

QCD_END

#endif

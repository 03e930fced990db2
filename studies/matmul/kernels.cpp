#ifndef __CUDACC__

QCD_BEGIN

/// The study's loops on a core: i, j, k.
void matmul_naive_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto [a, f] = study_call<decltype(matmul_element)>(args, p);
    for (int y = share.first(a.m); y < share.end(a.m); ++y)
        for (int x = 0; x < a.n; ++x) matmul_element(a, f, x, y);
}

/// Loops i, k, j, which add up rows, for cores beside devices.
void matmul_rows_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto [a, f] = study_call<decltype(matmul_element)>(args, p);
    for (int y = share.first(a.m); y < share.end(a.m); ++y)
        for (int k = 0; k < a.k; ++k) {
            const real factor = f.a[y * a.k + k];
            const real* b = f.b + std::size_t(k) * a.n;
            real* c = f.c + std::size_t(y) * a.n;
#pragma GCC ivdep
            for (int x = 0; x < a.n; ++x) c[x] = QCD_STUDY_FMA(factor, b[x], c[x]);
        }
}

QCD_END

#endif

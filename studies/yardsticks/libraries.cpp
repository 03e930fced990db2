#include "studies/yardsticks/libraries.hpp"

#include "runtime/device_failure.hpp"
#include "studies/matmul/args.h"

#include <dlfcn.h>

#include <fmt/format.h>

namespace qcd::studies
{

namespace
{

/// A library by the first of its names that is there; null: none is.
void* library(std::initializer_list<const char*> names)
{
    for (const char* name : names)
        if (void* found = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return found;
    return nullptr;
}

template <class Function>
Function* function_of(void* from, const char* name)
{
    return from ? reinterpret_cast<Function*>(dlsym(from, name)) : nullptr;
}

// cblas.h: row by row, not transposed.
constexpr int row_major = 101, as_it_is = 111;
using Dgemm = void(int order, int trans_a, int trans_b, int m, int n, int k, double alpha,
                   const double* a, int lda, const double* b, int ldb, double beta, double* c,
                   int ldc);

struct Openblas {
    void* handle = library({"libopenblas.so.0", "libopenblas.so"});
    Dgemm* dgemm = function_of<Dgemm>(handle, "cblas_dgemm");
    void (*set_threads)(int) = function_of<void(int)>(handle, "openblas_set_num_threads");
    char* (*config)() = function_of<char*()>(handle, "openblas_get_config");
    bool there() const { return dgemm && set_threads; }
};

/// Whose threads are StarPU's workers: it makes none of its own.
const Openblas& openblas()
{
    static const Openblas blas = [] {
        Openblas found;
        if (found.there()) found.set_threads(1);
        return found;
    }();
    return blas;
}

template <class T>
T* buffer(void* const* buffers, int slot)
{
    return static_cast<T*>(buffers[slot]);
}

void dgemm_on_core(const void* args, void* const* buffers, CpuShare share)
{
    const auto& a = *static_cast<const matmul_args*>(args);
    const int first = share.first(a.m), rows = share.end(a.m) - first;
    if (rows == 0) return;
    openblas().dgemm(row_major, as_it_is, as_it_is, rows, a.n, a.k, 1,
                     buffer<const double>(buffers, matmul_a) + std::size_t(first) * a.k, a.k,
                     buffer<const double>(buffers, matmul_b), a.n, 1,
                     buffer<double>(buffers, matmul_c) + std::size_t(first) * a.n, a.n);
}

// cublas_v2.h: column by column, where row by row is the transposed matrix.
using Handle = void*;
struct Cublas {
    void* handle = library({"libcublas.so.13", "libcublas.so.12", "libcublas.so"});
    int (*create)(Handle*) = function_of<int(Handle*)>(handle, "cublasCreate_v2");
    int (*set_stream)(Handle,
                      CUstream_st*) = function_of<int(Handle, CUstream_st*)>(handle,
                                                                             "cublasSetStream_v2");
    int (*version)(Handle, int*) = function_of<int(Handle, int*)>(handle, "cublasGetVersion_v2");
    using Dgemm = int(Handle, int, int, int, int, int, const double*, const double*, int,
                      const double*, int, const double*, double*, int);
    Dgemm* dgemm = function_of<Dgemm>(handle, "cublasDgemm_v2");
    bool there() const { return create && set_stream && dgemm; }
};

const Cublas& cublas()
{
    static const Cublas blas;
    return blas;
}

void check(int status)
{
    if (status != 0) device_failed("CUDA", fmt::format("cuBLAS: status {}", status).c_str());
}

void dgemm_on_device(const void* args, void* const* buffers, const CudaCall& call)
{
    const auto& a = *static_cast<const matmul_args*>(args);
    static thread_local Handle own = [] { // of the worker's device
        Handle h = nullptr;
        check(cublas().create(&h));
        return h;
    }();
    const double one = 1;
    check(cublas().set_stream(own, call.stream));
    check(cublas().dgemm(own, 0, 0, a.n, a.m, a.k, &one, buffer<const double>(buffers, matmul_b),
                         a.n, buffer<const double>(buffers, matmul_a), a.k, &one,
                         buffer<double>(buffers, matmul_c), a.n));
}

} // namespace

CpuKernel openblas_dgemm() { return openblas().there() ? dgemm_on_core : nullptr; }

CudaKernel cublas_dgemm()
{
#ifdef QCD_WITH_CUDA
    return cublas().there() ? dgemm_on_device : nullptr;
#else
    return nullptr;
#endif
}

std::string openblas_words()
{
    if (!openblas().there()) return "OpenBLAS is not there (libopenblas.so.0)";
    return openblas().config ? openblas().config() : "OpenBLAS";
}

std::string cublas_words()
{
    return cublas().there() ? "cuBLAS" : "cuBLAS is not there (libcublas.so)";
}

} // namespace qcd::studies

#include "studies/frame/registration.hpp"
#include "studies/matmul/groups.hpp"
#include "studies/matmul/matmul.hpp"
#include "studies/yardsticks/libraries.hpp"

#include <map>

QCD_DECLARE_STUDY_KERNELS(matmul_naive)
QCD_DECLARE_STUDY_KERNELS(matmul_rows)
QCD_DECLARE_STUDY_KERNELS(matmul_pad)
QCD_DECLARE_STUDY_KERNELS(matmul_blocks)
QCD_DECLARE_STUDY_KERNELS(matmul_shared)
QCD_DECLARE_STUDY_KERNELS(matmul_four)
QCD_DECLARE_STUDY_KERNELS(matmul_padded)

#ifdef QCD_WITH_OPENCL
extern const char qcd_opencl_matmul[];
#define QCD_MATMUL_TEXT qcd_opencl_matmul
#else
#define QCD_MATMUL_TEXT nullptr
#endif

namespace qcd
{

namespace
{

int matmul_rows_of(const void* args) { return static_cast<const matmul_args*>(args)->m; }
double matmul_flops(const void* args, unsigned)
{
    const auto& a = *static_cast<const matmul_args*>(args);
    return 2.0 * a.m * a.n * a.k;
}
template <WorkGroups groups(const matmul_args&)>
WorkGroups matmul_groups_of(int, const void* args)
{
    return groups(*static_cast<const matmul_args*>(args));
}

using Groups = WorkGroups (*)(int, const void*);

Operation matmul_operation(const char* name, Groups groups)
{
    return {.name = name,
            .args_size = sizeof(matmul_args),
            .slots = {{"C", "matrix", Mode::updates}, {"A", "matrix"}, {"B", "matrix"}},
            .blocks = matmul_rows_of,
            .flops = matmul_flops,
            .groups = groups,
            .sweeps = false};
}

/// As its codelet refers to it, it does not move.
struct MatmulVersion {
    MatmulVersion(const char* name, Groups groups, Kernels kernels)
        : operation(matmul_operation(name, groups)),
          codelet(operation, 0, operation.name, std::move(kernels))
    {
    }
    Operation operation;
    Codelet codelet;
};

Kernels with_rows_on_cores(Kernels kernels)
{
    kernels.cpu = QCD_STUDY_CPU_OF(matmul_rows);
    return kernels;
}

Kernels matmul_of_libraries()
{
    Kernels kernels;
    if (const CpuKernel dgemm = studies::openblas_dgemm()) kernels.cpu = {dgemm, dgemm, dgemm};
    if (const CudaKernel dgemm = studies::cublas_dgemm()) kernels.cuda = {dgemm, dgemm};
    return kernels;
}

} // namespace

const Codelet& matmul_codelet(const std::string& version)
{
    static const MatmulVersion naive("matmul_naive", nullptr,
                                     {QCD_STUDY_CPU_OF(matmul_naive), {}, {}}),
        library("matmul_library", nullptr, matmul_of_libraries()),
        blocks("matmul_blocks", matmul_groups_of<matmul_blocks_groups>,
               with_rows_on_cores(QCD_STUDY_DEVICE_KERNELS_OF(matmul_blocks, QCD_MATMUL_TEXT))),
        shared("matmul_shared", matmul_groups_of<matmul_shared_groups>,
               with_rows_on_cores(QCD_STUDY_DEVICE_KERNELS_OF(matmul_shared, QCD_MATMUL_TEXT))),
        four("matmul_four", matmul_groups_of<matmul_four_groups>,
             with_rows_on_cores(QCD_STUDY_DEVICE_KERNELS_OF(matmul_four, QCD_MATMUL_TEXT))),
        padded("matmul_padded", matmul_groups_of<matmul_padded_groups>,
               with_rows_on_cores(QCD_STUDY_DEVICE_KERNELS_OF(matmul_padded, QCD_MATMUL_TEXT)));
    static const std::map<std::string, const MatmulVersion*> all = {
        {"naive", &naive}, {"blocks", &blocks}, {"shared", &shared},
        {"four", &four},   {"padded", &padded}, {"library", &library}};
    return all.at(version)->codelet;
}

const Codelet& matmul_pad_codelet()
{
    static const Operation operation{
        .name = "matmul_pad",
        .args_size = sizeof(matmul_pad_args),
        .slots = {{"to", "matrix", Mode::writes}, {"from", "matrix"}},
        .blocks = [](const void* args) { return static_cast<const matmul_pad_args*>(args)->rows; },
        .groups =
            [](int, const void* args) {
                const auto& a = *static_cast<const matmul_pad_args*>(args);
                return studies::cell_groups(a.columns, a.rows);
            },
        .sweeps = false};
    static const Codelet codelet(operation, 0, operation.name,
                                 QCD_STUDY_KERNELS_OF(matmul_pad, QCD_MATMUL_TEXT));
    return codelet;
}

} // namespace qcd

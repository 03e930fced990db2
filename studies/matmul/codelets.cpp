#include "studies/frame/registration.hpp"
#include "studies/matmul/groups.hpp"
#include "studies/matmul/matmul.hpp"
#include "studies/yardsticks/libraries.hpp"

namespace qcd
{

namespace slot
{
inline constexpr Slot matrix{.holds = "matrix"};
}

namespace
{

int rows_of_c(const matmul_args& a) { return a.m; }

template <WorkGroups groups(const matmul_args&)>
Operation matmul_operation()
{
    return studies::group_operation<matmul_args, groups, rows_of_c>(
        QCD_SLOT_TABLE(matmul), [](const void* args, unsigned) {
            const auto& a = *static_cast<const matmul_args*>(args);
            return 2.0 * a.m * a.n * a.k;
        });
}

Kernels kernels_of_libraries()
{
    Kernels kernels;
    if (const CpuKernel dgemm = studies::openblas_dgemm()) kernels.cpu = {dgemm, dgemm, dgemm};
    if (const CudaKernel dgemm = studies::cublas_dgemm()) kernels.cuda = dgemm;
    return kernels;
}

} // namespace

} // namespace qcd

QCD_DECLARE_KERNELS(f64, matmul_naive)
QCD_DECLARE_KERNELS(f64, matmul_rows)
QCD_DECLARE_KERNELS(f64, matmul_blocks)
QCD_DECLARE_KERNELS(f64, matmul_shared)
QCD_DECLARE_KERNELS(f64, matmul_four)
QCD_DECLARE_KERNELS(f64, matmul_padded)

QCD_STUDY_OPERATION(matmul, matmul_pad, cell_operation<matmul_pad_args>(QCD_SLOT_TABLE(matmul_pad)))
QCD_STUDY_CODELET(matmul_naive, (Kernels{{QCD_CPU_KERNELS_OF(f64, matmul_naive)}, {}, {}}),
                  matmul_operation<matmul_blocks_groups>())
QCD_STUDY_CODELET(matmul_blocks, QCD_STUDY_KERNELS(matmul, matmul_rows, matmul_blocks),
                  matmul_operation<matmul_blocks_groups>())
QCD_STUDY_CODELET(matmul_shared, QCD_STUDY_KERNELS(matmul, matmul_rows, matmul_shared),
                  matmul_operation<matmul_shared_groups>())
QCD_STUDY_CODELET(matmul_four, QCD_STUDY_KERNELS(matmul, matmul_rows, matmul_four),
                  matmul_operation<matmul_four_groups>())
QCD_STUDY_CODELET(matmul_padded, QCD_STUDY_KERNELS(matmul, matmul_rows, matmul_padded),
                  matmul_operation<matmul_four_groups>())
QCD_STUDY_CODELET(matmul_library, kernels_of_libraries(), matmul_operation<matmul_blocks_groups>())

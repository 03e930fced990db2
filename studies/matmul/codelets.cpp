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

QCD_STUDY_TEXT(matmul)

namespace qcd
{

namespace
{

using studies::StudyCodelet;

int matmul_rows_of(const matmul_args& a) { return a.m; }
int matmul_pad_rows_of(const matmul_pad_args& a) { return a.rows; }
WorkGroups matmul_pad_groups(const matmul_pad_args& a)
{
    return studies::cell_groups(a.columns, a.rows);
}
double matmul_flops(const matmul_args& a) { return 2.0 * a.m * a.n * a.k; }

template <WorkGroups groups(const matmul_args&)>
Operation matmul_operation(const char* name)
{
    return studies::study_operation<matmul_args, matmul_rows_of, groups, matmul_flops>(
        name, {{"C", "matrix", Mode::updates}, {"A", "matrix"}, {"B", "matrix"}});
}

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
    static const StudyCodelet naive(matmul_operation<matmul_blocks_groups>("matmul_naive"),
                                    {QCD_STUDY_CPU_OF(matmul_naive), {}, {}}),
        library(matmul_operation<matmul_blocks_groups>("matmul_library"), matmul_of_libraries()),
        blocks(matmul_operation<matmul_blocks_groups>("matmul_blocks"),
               with_rows_on_cores(QCD_STUDY_DEVICE_KERNELS_OF(matmul_blocks, matmul_text))),
        shared(matmul_operation<matmul_shared_groups>("matmul_shared"),
               with_rows_on_cores(QCD_STUDY_DEVICE_KERNELS_OF(matmul_shared, matmul_text))),
        four(matmul_operation<matmul_four_groups>("matmul_four"),
             with_rows_on_cores(QCD_STUDY_DEVICE_KERNELS_OF(matmul_four, matmul_text))),
        padded(matmul_operation<matmul_padded_groups>("matmul_padded"),
               with_rows_on_cores(QCD_STUDY_DEVICE_KERNELS_OF(matmul_padded, matmul_text)));
    static const std::map<std::string, const StudyCodelet*> all = {
        {"naive", &naive}, {"blocks", &blocks}, {"shared", &shared},
        {"four", &four},   {"padded", &padded}, {"library", &library}};
    return all.at(version)->codelet;
}

const Codelet& matmul_pad_codelet()
{
    static const StudyCodelet own(
        studies::study_operation<matmul_pad_args, matmul_pad_rows_of, matmul_pad_groups>(
            "matmul_pad", {{"to", "matrix", Mode::writes}, {"from", "matrix"}}),
        QCD_STUDY_KERNELS_OF(matmul_pad, matmul_text));
    return own.codelet;
}

} // namespace qcd

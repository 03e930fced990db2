#include "studies/fisher/groups.hpp"
#include "studies/fisher/operations.hpp"
#include "studies/frame/registration.hpp"

QCD_DECLARE_STUDY_KERNELS(fisher_residual)
QCD_DECLARE_STUDY_KERNELS(fisher_apply)
QCD_DECLARE_STUDY_KERNELS(fisher_apply_wide)
QCD_DECLARE_STUDY_KERNELS(fisher_update)
QCD_DECLARE_STUDY_KERNELS(fisher_norm)
QCD_DECLARE_STUDY_KERNELS(fisher_scalars)
QCD_DECLARE_STUDY_KERNELS(fisher_whole)
QCD_DECLARE_STUDY_KERNELS(fisher_axpy)
QCD_DECLARE_STUDY_KERNELS(fisher_direction)

#ifdef QCD_WITH_OPENCL
extern const char qcd_opencl_fisher[];
#define QCD_FISHER_TEXT qcd_opencl_fisher
#else
#define QCD_FISHER_TEXT nullptr
#endif

namespace qcd
{

namespace
{

using FisherSlots = std::vector<Slot>;

Slot fisher_field(const char* name, Mode mode = Mode::reads) { return {name, "field", mode}; }
Slot fisher_row(const char* name) { return {name, "row", Mode::reads, true}; }
Slot fisher_sums(Mode mode = Mode::writes) { return {"sums", "sums of rows", mode}; }
Slot fisher_scalars_slot(bool optional = false)
{
    return {"scalars", "scalars", Mode::reads, optional};
}

int fisher_rows_of(const void* args) { return static_cast<const fisher_args*>(args)->rows; }
WorkGroups fisher_groups_of(int, const void* args)
{
    return fisher_row_groups(*static_cast<const fisher_args*>(args));
}
template <int flops>
double fisher_flops(const void* args, unsigned)
{
    const auto& a = *static_cast<const fisher_args*>(args);
    return double(flops) * a.nx * a.rows;
}

Operation fisher_rowwise(const char* name, FisherSlots slots,
                         double (*flops)(const void*, unsigned))
{
    return {.name = name,
            .args_size = sizeof(fisher_args),
            .slots = std::move(slots),
            .blocks = fisher_rows_of,
            .flops = flops,
            .groups = fisher_groups_of,
            .sweeps = false};
}

Operation fisher_cellwise(const char* name)
{
    return {
        .name = name,
        .args_size = sizeof(fisher_axpy_args),
        .slots = {fisher_scalars_slot(true), fisher_field("x"), fisher_field("y", Mode::updates)},
        .blocks = [](const void* args) { return static_cast<const fisher_axpy_args*>(args)->ny; },
        .flops =
            [](const void* args, unsigned) {
                const auto& a = *static_cast<const fisher_axpy_args*>(args);
                return 2.0 * a.nx * a.ny;
            },
        .groups =
            [](int, const void* args) {
                const auto& a = *static_cast<const fisher_axpy_args*>(args);
                return studies::cell_groups(a.nx, a.ny);
            },
        .sweeps = false};
}

} // namespace

#define QCD_FISHER_CODELET(op, ...)                                                                \
    const Codelet& op##_codelet()                                                                  \
    {                                                                                              \
        static const Operation operation = __VA_ARGS__;                                            \
        static const Codelet codelet(operation, 0, operation.name,                                 \
                                     QCD_STUDY_KERNELS_OF(op, QCD_FISHER_TEXT));                   \
        return codelet;                                                                            \
    }

QCD_FISHER_CODELET(fisher_residual,
                   fisher_rowwise("fisher_residual",
                                  FisherSlots({fisher_field("u"), fisher_field("old"),
                                               fisher_row("above"), fisher_row("below"),
                                               Slot{"edge", "row"}, fisher_field("r", Mode::writes),
                                               fisher_field("p", Mode::writes), fisher_sums()}),
                                  fisher_flops<13>))
QCD_FISHER_CODELET(fisher_update,
                   fisher_rowwise("fisher_update",
                                  FisherSlots({fisher_scalars_slot(), fisher_field("p"),
                                               fisher_field("ap"),
                                               fisher_field("delta", Mode::updates),
                                               fisher_field("r", Mode::updates), fisher_sums()}),
                                  fisher_flops<6>))
QCD_FISHER_CODELET(fisher_norm,
                   fisher_rowwise("fisher_norm", FisherSlots({fisher_field("r"), fisher_sums()}),
                                  fisher_flops<2>))
QCD_FISHER_CODELET(fisher_axpy, fisher_cellwise("fisher_axpy"))
QCD_FISHER_CODELET(fisher_direction, fisher_cellwise("fisher_direction"))

#undef QCD_FISHER_CODELET

const Codelet& fisher_apply_codelet(bool wide)
{
    const auto operation_named = [](const char* name) {
        return fisher_rowwise(name,
                              {fisher_field("u"), fisher_field("p"), fisher_row("above"),
                               fisher_row("below"), fisher_field("ap", Mode::writes),
                               fisher_sums()},
                              fisher_flops<12>);
    };
    static const Operation plain_operation = operation_named("fisher_apply"),
                           wide_operation = operation_named("fisher_apply_wide");
    static const Codelet plain_codelet(plain_operation, 0, plain_operation.name,
                                       QCD_STUDY_KERNELS_OF(fisher_apply, QCD_FISHER_TEXT)),
        wide_codelet(wide_operation, 0, wide_operation.name,
                     QCD_STUDY_KERNELS_OF(fisher_apply_wide, QCD_FISHER_TEXT));
    return wide ? wide_codelet : plain_codelet;
}

const Codelet& fisher_scalars_codelet()
{
    static const Operation operation{
        .name = "fisher_scalars",
        .args_size = sizeof(fisher_scalars_args),
        .slots = {{"scalars", "scalars", Mode::updates},
                  {"sums", "sums of rows", Mode::reads, true, QCD_FISHER_SLABS}},
        .blocks = [](const void*) { return 1; },
        .groups =
            [](int, const void* args) {
                return fisher_scalars_groups(*static_cast<const fisher_scalars_args*>(args));
            },
        .sweeps = false,
        .urgent = true};
    static const Codelet codelet(operation, 0, operation.name,
                                 QCD_STUDY_KERNELS_OF(fisher_scalars, QCD_FISHER_TEXT));
    return codelet;
}

const Codelet& fisher_whole_codelet()
{
    static const Operation operation{.name = "fisher_whole",
                                     .args_size = sizeof(fisher_whole_args),
                                     .slots = {fisher_field("u"),
                                               fisher_field("r", Mode::updates),
                                               fisher_field("p", Mode::updates),
                                               fisher_field("ap", Mode::writes),
                                               fisher_field("delta", Mode::updates),
                                               fisher_sums(Mode::updates),
                                               {"scalars", "scalars", Mode::updates}},
                                     .blocks = [](const void*) { return 1; },
                                     .groups =
                                         [](int, const void* args) {
                                             return fisher_whole_groups(
                                                 *static_cast<const fisher_whole_args*>(args));
                                         },
                                     .sweeps = false};
    static const Codelet codelet(operation, 0, operation.name,
                                 QCD_STUDY_KERNELS_OF(fisher_whole, QCD_FISHER_TEXT));
    return codelet;
}

} // namespace qcd

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

QCD_STUDY_TEXT(fisher)

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

int fisher_rows_of(const fisher_args& a) { return a.rows; }
template <int flops>
double fisher_flops(const fisher_args& a)
{
    return double(flops) * a.nx * a.rows;
}
template <int flops>
Operation fisher_rowwise(const char* name, FisherSlots slots)
{
    return studies::study_operation<fisher_args, fisher_rows_of, fisher_row_groups,
                                    fisher_flops<flops>>(name, std::move(slots));
}

int fisher_axpy_rows_of(const fisher_axpy_args& a) { return a.ny; }
WorkGroups fisher_axpy_groups(const fisher_axpy_args& a)
{
    return studies::cell_groups(a.nx, a.ny);
}
double fisher_axpy_flops(const fisher_axpy_args& a) { return 2.0 * a.nx * a.ny; }
Operation fisher_cellwise(const char* name)
{
    return studies::study_operation<fisher_axpy_args, fisher_axpy_rows_of, fisher_axpy_groups,
                                    fisher_axpy_flops>(
        name, {fisher_scalars_slot(true), fisher_field("x"), fisher_field("y", Mode::updates)});
}

Operation fisher_apply_named(const char* name)
{
    return fisher_rowwise<12>(name, {fisher_field("u"), fisher_field("p"), fisher_row("above"),
                                     fisher_row("below"), fisher_field("ap", Mode::writes),
                                     fisher_sums()});
}

template <class Args>
int fisher_itself(const Args&)
{
    return 1;
}
Operation fisher_scalar_step()
{
    Operation o = studies::study_operation<fisher_scalars_args, fisher_itself<fisher_scalars_args>,
                                           fisher_scalars_groups>(
        "fisher_scalars", {{"scalars", "scalars", Mode::updates},
                           {"sums", "sums of rows", Mode::reads, true, QCD_FISHER_SLABS}});
    o.urgent = true;
    return o;
}

} // namespace

#define QCD_FISHER_CODELET(op, ...)                                                                \
    const Codelet& op##_codelet()                                                                  \
    {                                                                                              \
        static const studies::StudyCodelet own(__VA_ARGS__,                                        \
                                               QCD_STUDY_KERNELS_OF(op, fisher_text));             \
        return own.codelet;                                                                        \
    }

QCD_FISHER_CODELET(fisher_residual,
                   fisher_rowwise<13>("fisher_residual",
                                      {fisher_field("u"), fisher_field("old"), fisher_row("above"),
                                       fisher_row("below"), Slot{"edge", "row"},
                                       fisher_field("r", Mode::writes),
                                       fisher_field("p", Mode::writes), fisher_sums()}))
QCD_FISHER_CODELET(fisher_update,
                   fisher_rowwise<6>("fisher_update",
                                     {fisher_scalars_slot(), fisher_field("p"), fisher_field("ap"),
                                      fisher_field("delta", Mode::updates),
                                      fisher_field("r", Mode::updates), fisher_sums()}))
QCD_FISHER_CODELET(fisher_norm,
                   fisher_rowwise<2>("fisher_norm", {fisher_field("r"), fisher_sums()}))
QCD_FISHER_CODELET(fisher_axpy, fisher_cellwise("fisher_axpy"))
QCD_FISHER_CODELET(fisher_direction, fisher_cellwise("fisher_direction"))
QCD_FISHER_CODELET(fisher_scalars, fisher_scalar_step())
QCD_FISHER_CODELET(fisher_whole,
                   studies::study_operation<fisher_whole_args, fisher_itself<fisher_whole_args>,
                                            fisher_whole_groups>(
                       "fisher_whole",
                       {fisher_field("u"), fisher_field("r", Mode::updates),
                        fisher_field("p", Mode::updates), fisher_field("ap", Mode::writes),
                        fisher_field("delta", Mode::updates), fisher_sums(Mode::updates),
                        Slot{"scalars", "scalars", Mode::updates}}))

#undef QCD_FISHER_CODELET

const Codelet& fisher_apply_codelet(bool wide)
{
    static const studies::StudyCodelet one(fisher_apply_named("fisher_apply"),
                                           QCD_STUDY_KERNELS_OF(fisher_apply, fisher_text)),
        two(fisher_apply_named("fisher_apply_wide"),
            QCD_STUDY_KERNELS_OF(fisher_apply_wide, fisher_text));
    return wide ? two.codelet : one.codelet;
}

} // namespace qcd

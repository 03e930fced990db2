#include "studies/fisher/groups.hpp"
#include "studies/fisher/operations.hpp"
#include "studies/frame/registration.hpp"

namespace qcd
{

namespace
{

Slot field(const char* name, Mode mode = Mode::reads) { return {name, "field", mode}; }
Slot row(const char* name) { return {name, "row", Mode::reads, true}; }
Slot sums(Mode mode = Mode::writes) { return {"sums", "sums of rows", mode}; }
Slot scalars(Mode mode = Mode::reads, bool optional = false)
{
    return {"scalars", "scalars", mode, optional};
}

/// So many flop a cell.
template <int flops>
Operation rowwise(std::vector<Slot> slots)
{
    return studies::group_operation<fisher_args, fisher_row_groups>(
        std::move(slots), [](const void* args, unsigned) {
            const auto& a = *static_cast<const fisher_args*>(args);
            return double(flops) * a.nx * a.rows;
        });
}
Operation apply_operation()
{
    return rowwise<12>(
        {field("u"), field("p"), row("above"), row("below"), field("ap", Mode::writes), sums()});
}
Operation cellwise()
{
    return studies::cell_operation<fisher_axpy_args>(
        {scalars(Mode::reads, true), field("x"), field("y", Mode::updates)},
        studies::flops_a_cell<fisher_axpy_args, 2>);
}

} // namespace

} // namespace qcd

QCD_STUDY_OPERATION(fisher, fisher_residual,
                    rowwise<13>({field("u"), field("old"), row("above"), row("below"),
                                 Slot{"edge", "row"}, field("r", Mode::writes),
                                 field("p", Mode::writes), sums()}))
QCD_STUDY_OPERATION(fisher, fisher_apply, apply_operation())
QCD_STUDY_OPERATION(fisher, fisher_apply_wide, apply_operation())
QCD_STUDY_OPERATION(fisher, fisher_update,
                    rowwise<6>({scalars(), field("p"), field("ap"), field("delta", Mode::updates),
                                field("r", Mode::updates), sums()}))
QCD_STUDY_OPERATION(fisher, fisher_norm, rowwise<2>({field("r"), sums()}))
QCD_STUDY_OPERATION(fisher, fisher_axpy, cellwise())
QCD_STUDY_OPERATION(fisher, fisher_direction, cellwise())
QCD_STUDY_OPERATION(fisher, fisher_scalars,
                    urgent(group_operation<fisher_scalars_args, fisher_scalars_groups>(
                        {scalars(Mode::updates),
                         {"sums", "sums of rows", Mode::reads, true, QCD_FISHER_SLABS}})))
QCD_STUDY_OPERATION(fisher, fisher_whole,
                    group_operation<fisher_whole_args, fisher_whole_groups>(
                        {field("u"), field("r", Mode::updates), field("p", Mode::updates),
                         field("ap", Mode::writes), field("delta", Mode::updates),
                         sums(Mode::updates), scalars(Mode::updates)}))

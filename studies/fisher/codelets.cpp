#include "studies/fisher/groups.hpp"
#include "studies/fisher/operations.hpp"
#include "studies/frame/registration.hpp"

namespace qcd
{

namespace slot
{
inline constexpr Slot row{.holds = "row"}, sums_of_rows{.holds = "sums of rows"},
    scalars{.holds = "scalars"};
}

namespace
{

/// Flop of an operation that has `flops` for each cell.
template <int flops>
Operation rowwise(std::vector<Slot> slots)
{
    return studies::group_operation<fisher_args, fisher_row_groups>(
        std::move(slots), [](const void* args, unsigned) {
            const auto& a = *static_cast<const fisher_args*>(args);
            return double(flops) * a.nx * a.rows;
        });
}
Operation apply_operation() { return rowwise<12>(QCD_SLOT_TABLE(fisher_apply)); }
Operation cellwise()
{
    return studies::cell_operation<fisher_axpy_args>(QCD_SLOT_TABLE(fisher_axpy),
                                                     studies::flops_a_cell<fisher_axpy_args, 2>);
}

} // namespace

} // namespace qcd

QCD_STUDY_OPERATION(fisher, fisher_residual, rowwise<13>(QCD_SLOT_TABLE(fisher_residual)))
QCD_STUDY_OPERATION(fisher, fisher_apply, apply_operation())
QCD_STUDY_OPERATION(fisher, fisher_apply_wide, apply_operation())
QCD_STUDY_OPERATION(fisher, fisher_update, rowwise<6>(QCD_SLOT_TABLE(fisher_update)))
QCD_STUDY_OPERATION(fisher, fisher_norm, rowwise<2>(QCD_SLOT_TABLE(fisher_norm)))
QCD_STUDY_OPERATION(fisher, fisher_axpy, cellwise())
QCD_STUDY_OPERATION(fisher, fisher_direction, cellwise())
QCD_STUDY_OPERATION(fisher, fisher_scalars,
                    urgent(group_operation<fisher_scalars_args, fisher_scalars_groups>(
                        QCD_SLOT_TABLE(fisher_scalars))))
QCD_STUDY_OPERATION(
    fisher, fisher_whole,
    group_operation<fisher_whole_args, fisher_whole_groups>(QCD_SLOT_TABLE(fisher_whole)))

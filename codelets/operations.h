// The operations that go site by site, and those on methods' scalars, which registration.hpp
// explains. cmake/QcdOperations.cmake reads this list, and includes it behind all contracts.

QCD_SITE_OPERATION(mixed, add_correction, flops_with<24, add_correction_steps, 192>)
QCD_SITE_OPERATION(half_fields, bicgstab_residual, flops_a_site<240>)
QCD_SITE_OPERATION(half_fields, bicgstab_update, flops_a_site<528>)
QCD_SITE_OPERATION(half_fields, cg_residual, flops_a_site<144>)
QCD_SITE_OPERATION(half_fields, cg_update, flops_with<96, cg_update_x, 192>)
QCD_SITE_OPERATION(half_fields, chiral_scale, flops_a_site<72>)
QCD_SITE_OPERATION(half_fields, cr_update, flops_with<336, cr_update_x, 192>)
QCD_SITE_OPERATION(fields, fma_chains, fma_chains_flops)
QCD_SITE_OPERATION(fields, gcr_products, flops_with<96, gcr_products_q1, 96>)
QCD_SITE_OPERATION(fields, gcr_solution, flops_with<0, gcr_solution_z, 96, gcr_solution_last_z>)
QCD_SITE_OPERATION(fields, gcr_update,
                   flops_with<192, gcr_update_earlier, 96, gcr_update_last_earlier>)
QCD_SITE_OPERATION(mixed, narrow, nullptr)
QCD_SITE_OPERATION(mixed, widen, nullptr)
QCD_SITE_OPERATION(links, xgemm33x34, flops_a_site<264>)
QCD_SITE_OPERATION(fields, xgemm34x44, flops_a_site<12>)
QCD_SITE_OPERATION(fields, xpay, flops_a_site<96>)

QCD_SCALAR_OPERATIONS(bicgstab_scalars)
QCD_SCALAR_OPERATIONS(cg_scalars)
QCD_SCALAR_OPERATIONS(cr_scalars)
QCD_SCALAR_OPERATIONS(gcr_scalars)
QCD_SCALAR_OPERATIONS(last_residual)

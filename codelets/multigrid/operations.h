// The operations of multigrid that go site by site. cmake/QcdOperations.cmake reads this list, and
// includes it behind all contracts.

QCD_SITE_OPERATION(fields, coarse_products, flops_a_site<144>)
QCD_SITE_OPERATION(fields, prolong, prolong_flops)
QCD_SITE_OPERATION(fields, put_vectors, nullptr)
QCD_SITE_OPERATION(fields, reorder_spinors, nullptr)

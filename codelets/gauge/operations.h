// The operations on links that go site by site. cmake/QcdOperations.cmake reads this list, and
// includes it behind all contracts.

QCD_SITE_OPERATION(gauge, link_reunitarize, flops_a_site<150>)

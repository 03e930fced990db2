// The ladder's operations, but for the stencil, which registration.hpp explains.
// cmake/QcdOperations.cmake reads this list, and includes it behind all contracts.

QCD_LADDER_SINGLE_OPERATION(fields, ladder_quotient)
QCD_LADDER_SUM_OPERATION(fields, ladder_sum, true, 2)
QCD_LADDER_SINGLE_OPERATION(fields, ladder_total)
QCD_LADDER_VECTOR_OPERATION(fields, ladder_xaxpy, false, 4, ladder_xaxpy_alpha, 4)
QCD_LADDER_VECTOR_OPERATION(fields, ladder_xcopy, true, 0)
QCD_LADDER_SUM_OPERATION(fields, ladder_xdot, false, 8)
QCD_LADDER_SITE_OPERATION(fields, ladder_xgemm33x34, 360, ladder_xgemm33x34_psi, 72)
QCD_LADDER_SITE_OPERATION(fields, ladder_xgemm34x44, 24)
QCD_LADDER_SUM_OPERATION(fields, ladder_xnrm2, false, 4)
QCD_LADDER_VECTOR_OPERATION(fields, ladder_xscal, false, 6)

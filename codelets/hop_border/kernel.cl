// Its kernels are those of a hop.
#include "codelets/hopping/kernel.cl"

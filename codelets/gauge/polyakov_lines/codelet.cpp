#include "codelets/gauge/polyakov_lines/polyakov_lines.hpp"
#include "codelets/gauge/registration.hpp"

namespace
{

double flops_of_lines(const void* args, unsigned)
{
    const auto& a = *static_cast<const qcd::polyakov_lines_args*>(args);
    return double(qcd::polyakov_lines_flops) * a.extents[0] * a.extents[1] * a.extents[2] *
           a.extents[3];
}

} // namespace

QCD_OPERATION(gauge, polyakov_lines, .blocks = blocks_in, .flops = flops_of_lines, .sweeps = false)

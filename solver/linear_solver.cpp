#include "solver/linear_solver.hpp"

#include "lattice/spinor_source.hpp"

#include <algorithm>

namespace qcd
{

void clear_those_from_zero(SpinorField& x, const std::vector<Share>& shares)
{
    const auto begins_so = [](const Share& s) { return s.takes_part && s.guess == Guess::zero; };
    if (std::all_of(shares.begin(), shares.end(), begins_so)) return x.clear();
    for (std::size_t i = 0; i < shares.size(); ++i)
        if (begins_so(shares[i])) x.fill(ZeroSource(), int(i));
}

} // namespace qcd

#pragma once

#include "lattice/error.hpp"
#include "runtime/ranks.hpp"

#include <new>

namespace qcd
{

/// f(). What it throws ends all ranks at once: data that wait for others would wait for ever when
/// they are destroyed. Of one process it is thrown on.
template <class F>
void end_all_if_it_fails(Ranks& ranks, const F& f)
{
    try {
        f();
    } catch (const Error& e) {
        ranks.abort(e.what(), e.exit_status());
        throw;
    } catch (const std::bad_alloc&) {
        ranks.abort("out of memory", exit_missing_device);
        throw;
    }
}

} // namespace qcd

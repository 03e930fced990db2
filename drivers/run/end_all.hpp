#pragma once

#include "base/error.hpp"
#include "runtime/ranks.hpp"

#include <chrono>
#include <exception>

namespace qcd
{

/// f(). What it throws ends all ranks at once: data that wait for others would wait for ever when
/// they are destroyed. Of one process it is thrown on.
template <class F>
void end_all_if_it_fails(Ranks& ranks, const F& f)
{
    try {
        f();
    } catch (const std::exception& e) {
        const auto [line, status] = failure_of(e);
        ranks.abort(line, status);
        throw;
    }
}

/// One of several runs has failed, of which others may go on. Where other ranks do not fail, too,
/// they wait in it for this one: all are ended by its line.
inline void require_all_to_fail(Ranks& ranks, const Error& e)
{
    constexpr std::chrono::seconds patience{10};
    if (!ranks.all_come(patience)) ranks.abort(e.what(), e.exit_status());
}

} // namespace qcd

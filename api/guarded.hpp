#pragma once
// What the C functions have alike: no exception leaves them.

#include "api/qcd_starpu.h"
#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/extents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <string>

namespace qcd
{

inline qcd_status say(qcd_error* error, qcd_status status, const char* what)
{
    if (!error) return status;
    error->status = status;
    const std::string line = one_line(what);
    const std::size_t length = std::min(line.size(), sizeof error->message - 1);
    std::memcpy(error->message, line.data(), length);
    error->message[length] = '\0';
    return status;
}

/// What `call` returns, or the status of what it throws.
template <class Call>
qcd_status guarded(qcd_error* error, const Call& call)
{
    say(error, QCD_DONE, "");
    try {
        return call();
    } catch (const std::exception& e) {
        const auto [line, status] = failure_of(e);
        return say(error, qcd_status(status), line.c_str());
    } catch (...) {
        return say(error, QCD_BAD_INPUT, "an exception that is not one of C++");
    }
}

inline void require(const void* pointer, const char* name)
{
    if (!pointer) throw Error(fmt::format("{}: NULL", name));
}

inline Extents lattice_of(const int extents[4])
{
    require(extents, "extents");
    const Extents l{extents[0], extents[1], extents[2], extents[3]};
    require_lattice(l, "extents");
    return l;
}

} // namespace qcd

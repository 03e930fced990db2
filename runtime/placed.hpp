#pragma once

namespace qcd
{

/// Who executed an operation, and when, in seconds of a clock of its own.
struct Placed {
    int worker = -1; ///< StarPU's number
    double started = 0, ended = 0;
    bool predicted = false; ///< the scheduler knew how long it would take
};

} // namespace qcd

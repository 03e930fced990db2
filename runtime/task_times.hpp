#pragma once
// How long an operation takes on a kind of worker, from points that were measured: what tasks of a
// simulated machine take.

#include "runtime/operation.hpp"

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace qcd
{

struct Codelet;

/// "CPU", "CUDA" or "OpenCL": as in events.
const char* kind_of_worker(int worker);

/// A measured point. Calls of one operation differ by what they are given: `with` names the
/// optional slots that were filled, ascending.
struct TaskTime {
    std::string operation;         ///< Codelet::name; "*": each that has no point of its own
    std::vector<std::string> with; ///< of "*": empty
    std::string worker;            ///< kind_of_worker()
    int busy = 1;                  ///< workers that computed at the same time, this one included
    double bytes = 0;              ///< Work::bytes of the call
    double seconds = 0;            ///< mean of the middle 80 of 100 calls
    double low = 0, high = 0;      ///< a tenth of them took less, a tenth more; 0: not known
    long calls = 0;                ///< 0: not measured
};

/// Names of the optional slots of which `present` has the bits, ascending, each once.
std::vector<std::string> optional_slots(const Codelet&, unsigned present);

/// Times of a run with a given number of workers. A time is linear between the points of an
/// operation: in the workers that are busy, then in bytes. Beyond the last point it goes on with
/// the slope of the last two; below the first one it goes to what those have at 0 bytes, at least
/// 0.
class TaskTimes
{
public:
    TaskTimes(const std::vector<TaskTime>&, int workers);

    /// The time that a worker of the kind takes between two tasks, and the program to submit one; 0
    /// at first.
    double task_seconds(const std::string& worker) const;
    double submit_seconds() const { return submit_seconds_; }
    void set_task_seconds(const std::string& worker, double s) { task_seconds_[worker] = s; }
    void set_submit_seconds(double s) { submit_seconds_ = s; }

    /// Seconds of a call on a worker of this kind. Where no point has just these slots, of the one
    /// that has most in common. Throws Error where the machine has none of the operation and none
    /// of "*".
    double seconds(const Codelet&, unsigned present, double bytes, const std::string& worker) const;

private:
    using Curve = std::vector<std::pair<double, double>>; // bytes, seconds; bytes ascending
    using Variants = std::map<std::vector<std::string>, Curve>;
    const Curve& curve(const Codelet&, unsigned present, const std::string& worker) const;

    double submit_seconds_ = 0;
    std::map<std::string, double> task_seconds_;                     // by kind of worker
    std::map<std::pair<std::string, std::string>, Variants> curves_; // of operation, worker
    mutable std::map<std::tuple<const Codelet*, unsigned, std::string>, const Curve*> found_;
};

} // namespace qcd

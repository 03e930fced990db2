#include "drivers/run/split.hpp"

#include "base/error.hpp"
#include "drivers/plan/measurement_budget.hpp"
#include "drivers/plan/slabs.hpp"
#include "drivers/plan/worker_choice.hpp"
#include "drivers/run/problem.hpp"
#include "drivers/run/solve_case.hpp"
#include "program/devices.hpp"
#include "program/progress_line.hpp"
#include "program/stopwatch.hpp"
#include "runtime/codelet.hpp"
#include "runtime/machine_probe.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <algorithm>

namespace qcd
{

namespace
{

constexpr double least_gain = 1.02; // less than that is not worth the risk

std::string too_few(int slices)
{
    return fmt::format("{} slices in t are too few for both", slices);
}

/// Who takes part.
struct Crew {
    explicit Crew(const Workers& w) : cores(w.cpu), devices(w.cuda)
    {
        devices.insert(devices.end(), w.opencl.begin(), w.opencl.end());
    }
    std::vector<int> cores, devices;
};

/// Cores first: what belongs to no tile, the scalars, is then computed by one of them.
SplitLayout layout_of(const Extents& lattice, const Slabs& s, const Crew& crew)
{
    SplitLayout out;
    for (int mu = 0; mu < 3; ++mu) out.thickness[mu] = {lattice[mu]};
    out.thickness[2] = even_split(lattice[2], s.tiles_z);
    if (s.core_slices > 0) out.thickness[3] = even_split(s.core_slices, s.tiles_t);
    for (int i = 0; i < s.tiles_t * s.tiles_z; ++i) out.workers.push_back(crew.cores[i]);
    if (const int rest = lattice[3] - s.core_slices; rest > 0) {
        const std::vector<int> slabs = even_split(rest, int(crew.devices.size()));
        out.thickness[3].insert(out.thickness[3].end(), slabs.begin(), slabs.end());
        for (const int device : crew.devices)
            out.workers.insert(out.workers.end(), s.tiles_z, device);
    }
    return out;
}

struct Timing {
    double iteration;            ///< seconds
    double busiest_core, device; ///< seconds of an iteration in which it computes
};

double seconds_busy(int worker)
{
    starpu_profiling_worker_info info;
    starpu_profiling_worker_get_info(worker, &info);
    return starpu_timing_timespec_to_us(&info.executing_time) * 1e-6;
}

/// Since it was asked last.
double busiest(const std::vector<int>& workers)
{
    double most = 0;
    for (const int worker : workers) most = std::max(most, seconds_busy(worker));
    return most;
}

void restart_counters(const Crew& crew)
{
    busiest(crew.cores);
    busiest(crew.devices);
}

constexpr double slow_kappa = 0.125; // with unit links hundreds of iterations, whatever is solved

/// The budget, what of it is spent, and a terminal that sees it.
class Clock
{
public:
    Clock(const RunSpec& o, double sites)
        : budget_(expected_iterations(o)), sites_(sites), line_(o.output.quiet())
    {
    }
    void begin(const char* what)
    {
        what_ = what;
        show();
    }
    /// An iteration was measured on a lattice with this number of sites.
    void measured(double iteration_seconds, double sites)
    {
        budget_.measured(iteration_seconds * sites_ / sites);
        show();
    }
    const MeasurementBudget& budget() const { return budget_; }
    double spent() { return spent_ += watch_.lap(); }
    bool over() { return spent() >= budget_.seconds(); }

private:
    void show()
    {
        line_.show(fmt::format("--split auto: measuring {}, {:.1f} s of at most {:.2g} s", what_,
                               spent(), budget_.seconds()));
    }

    MeasurementBudget budget_;
    double sites_, spent_ = 0;
    Stopwatch watch_;
    ProgressLine line_;
    const char* what_ = "";
};

/// Iterations of the solve's method on plain links: for 0.1 s, or some tasks of them where they are
/// slow, and no longer than the budget lasts, but at least one. The fastest of some runs counts:
/// others were disturbed.
Timing time_iterations(const RunSpec& o, const RunPlan& plan, const Crew& crew, Clock& budget)
{
    const auto links = open_gauge("unit", plan.lattice);
    RunSpec measured = o;
    measured.problem.kappa = slow_kappa;
    const auto problem =
        make_case(measured, plan, *links, *open_spinor_source("det:1", plan.lattice));
    const int batch = plan.iterations;
    SolveControl control;
    control.tol = 0;
    const auto run = [&](int iterations) {
        control.max_iterations = iterations;
        problem->prepare();
        restart_counters(crew);
        Stopwatch clock;
        const double n = std::max(1, problem->iterate(control)); // it may end by itself
        return Timing{clock.lap() / n, busiest(crew.cores) / n, busiest(crew.devices) / n};
    };
    const auto measure = [&](int iterations) {
        const Timing t = run(iterations);
        budget.measured(t.iteration, double(volume(plan.lattice)));
        return t;
    };
    run(1); // takes the data to their places, and compiles what no device has had before
    Timing best = measure(1);
    for (double spent = 0; spent < 0.1 && !budget.over();) {
        const int batches =
            spent > 0 ? int(std::clamp(0.03 / best.iteration / batch, 1.0, 100.0)) : 1;
        const Timing t = measure(batch * batches);
        spent += t.iteration * batch * batches;
        if (t.iteration < best.iteration) best = t;
    }
    return best;
}

/// The lattice, cut down in t.
Extents probe_lattice(const Extents& lattice, int devices, bool cuda)
{
    const long slice = long(lattice[0]) * lattice[1] * lattice[2];
    const long sites = cuda ? 131072 : 65536;
    Extents out = lattice;
    out[3] = int(std::clamp(sites / slice / 2 * 2, long(std::min(lattice[3], 2 * devices + 2)),
                            long(lattice[3])));
    return out;
}

class Measurement
{
public:
    Measurement(const RunSpec& o, const Extents& lattice, const Workers& workers)
        : o_(o), workers_(workers), lattice_(lattice), crew_(workers), counts_(workers.counts),
          devices_(int(crew_.devices.size())), cores_(int(crew_.cores.size())),
          probe_(probe_lattice(lattice, devices_, counts_.cuda > 0)),
          probe_sites_(double(volume(probe_))), cut_z_(!o.method.ladder()),
          clock_(o, double(volume(lattice)))
    {
    }

    /// Slabs for the lattice; core_slices: 0: all to the devices, LT: all to the cores.
    Slabs best(SplitReport& report)
    {
        clock_.begin("devices alone");
        devices_alone();
        const Slabs all_cores = slabs_of(lattice_, lattice_[3], cores_, cut_z_);
        if (clock_.over()) {
            const bool the_same = devices_are_cores();
            report.reason = fmt::format("no time was left to measure the cores{}",
                                        the_same ? ", which are the OpenCL devices, too" : "");
            return the_same ? all_cores : Slabs{};
        }
        clock_.begin("cores alone");
        const Timing cores = time(slabs_of(probe_, probe_[3], cores_, cut_z_));
        const double cores_alone = probe_sites_ / cores.iteration;
        const bool cores_win = cores_alone > alone_;
        report.devices = alone_ * 1e-6;
        report.cores = cores_alone * 1e-6;
        SplitRates rates{alone_ / devices_, cores_alone / cores_, 0};
        Slabs s = best_slabs(lattice_, devices_, cores_, rates, cut_z_);
        if (gain(s, rates) >= least_gain) {
            if (clock_.over()) {
                report.reason =
                    fmt::format("no time was left to measure both together, and {} are faster",
                                cores_win ? "cores" : "devices");
                return cores_win ? all_cores : Slabs{};
            }
            clock_.begin("both together");
            rates = together(s);
            s = best_slabs(lattice_, devices_, cores_, rates, cut_z_);
        }
        const double together = gain(s, rates);
        if (together * alone_ >= least_gain * std::max(alone_, cores_alone)) return s;
        report.reason = together > 0
                            ? fmt::format("both together would be {:.2f} times as fast",
                                          together * alone_ / std::max(alone_, cores_alone))
                            : too_few(lattice_[3]);
        return cores_win ? all_cores : Slabs{};
    }
    void tell(SplitReport& report)
    {
        report.seconds = clock_.spent();
        report.budget = clock_.budget().seconds();
        report.predicted = clock_.budget().prediction();
    }

private:
    RunPlan plan_of(const Slabs& s) const
    {
        const SplitLayout layout = layout_of(probe_, s, crew_);
        return make_plan(o_, probe_, workers_, &layout);
    }
    bool devices_are_cores() const
    {
        const std::vector<Device> all = find_devices();
        return counts_.cuda == 0 && std::all_of(all.begin(), all.end(), [](const Device& d) {
                   return d.kind != "OpenCL" || d.is_cpu;
               });
    }
    Timing time(const Slabs& s) { return time_iterations(o_, plan_of(s), crew_, clock_); }
    /// Times the devices without cores: a single one works in batches.
    void devices_alone()
    {
        RunPlan plan = plan_of({});
        if (counts_.opencl == 0 && !o_.method.ladder() && devices_ == 1) {
            plan.kind = PlanKind::batch;
            plan.iterations = batch_for(probe_);
        }
        alone_ = probe_sites_ / time_iterations(o_, plan, crew_, clock_).iteration;
    }
    /// Both kinds at once, in the proportion of s: what they do then, and what they wait.
    SplitRates together(const Slabs& s)
    {
        const double share = 1 - double(s.core_slices) / lattice_[3];
        const Slabs trial =
            slabs_of(probe_, core_slices_for(share, probe_, devices_), cores_, cut_z_);
        const Timing t = time(trial);
        const double core_sites = probe_sites_ * trial.core_slices / probe_[3];
        return {(probe_sites_ - core_sites) / devices_ / t.device,
                core_sites / (trial.tiles_t * trial.tiles_z) / t.busiest_core,
                std::max(0.0, t.iteration - std::max(t.device, t.busiest_core))};
    }
    double gain(const Slabs& s, const SplitRates& rates) const
    {
        if (s.core_slices == 0) return 0;
        return double(volume(lattice_)) / alone_ / iteration_seconds(lattice_, s, devices_, rates);
    }

    const RunSpec& o_;
    const Workers& workers_;
    Extents lattice_;
    Crew crew_;
    WorkerCounts counts_;
    int devices_, cores_;
    Extents probe_;
    double probe_sites_;
    bool cut_z_;       // versions of the ladder have slabs in t alone
    double alone_ = 0; // sites a second of the devices without cores
    Clock clock_;
};

/// Starts StarPU again with one kind of worker, as a solve would that is not split.
void leave_alone(bool devices, RunSpec o, const Extents& lattice, std::optional<Session>& session)
{
    o.execution.split = std::optional<Split>();
    if (devices)
        o.execution.cpus = 0;
    else
        o.execution.cuda = 0, o.execution.opencl = 0;
    session.reset();
    session.emplace(workers_for(o, lattice, int(cuda_devices().size()), probe_machine().cores,
                                one_rank(), [](const std::string&) {}));
}

} // namespace

SplitChoice choose_split(const RunSpec& o, const Extents& lattice, std::optional<Session>& session)
{
    SplitChoice choice;
    SplitReport& report = choice.report;
    report.asked = o.execution.split()->devices;
    const Workers workers = workers_of(*session);
    const Crew crew(workers);
    const int devices = int(crew.devices.size()), cores = int(crew.cores.size());
    if (devices == 0 || cores == 0) {
        if (report.asked)
            throw DeviceError("split: a device and cores are needed, found are {} "
                              "devices and {} cores (--cuda, --opencl, --cpus)",
                              devices, cores);
        report.device_share = devices > 0;
        report.reason = "there is only one kind of worker";
        leave_alone(devices > 0, o, lattice, session);
        return choice;
    }
    Slabs slabs;
    if (lattice[3] < 2 * devices + 2 && report.asked.value_or(0.5) > 0 &&
        report.asked.value_or(0.5) < 1)
        report.reason = too_few(lattice[3]);
    else if (report.asked)
        slabs = slabs_of(lattice, core_slices_for(*report.asked, lattice, devices), cores,
                         !o.method.ladder());
    else {
        Measurement measurement(o, lattice, workers);
        slabs = measurement.best(report);
        measurement.tell(report);
    }
    report.device_share = 1 - double(slabs.core_slices) / lattice[3];
    if (slabs.core_slices > 0 && slabs.core_slices < lattice[3]) {
        choice.layout = layout_of(lattice, slabs, crew);
        return choice;
    }
    leave_alone(slabs.core_slices == 0, o, lattice, session);
    return choice;
}

} // namespace qcd

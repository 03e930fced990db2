#include "drivers/tuning/tuning.hpp"

#include "drivers/commands.hpp"

#include "codelets/device/exact_sum.h"
#include "codelets/device/faces.h"
#include "codelets/hopping/hopping.hpp"
#include "drivers/stopwatch.hpp"
#include "lattice/error.hpp"
#include "runtime/launch_timer.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace qcd
{

namespace
{

constexpr double most_seconds = 4; // of measuring in a run; what is left waits for the next
constexpr double sample_seconds = 1e-3, warm_up_seconds = 0.02;
constexpr int most_calls = 50;

/// The hops of a solve on tiles like this one.
std::vector<LaunchCase> cases_of(const tile_shape& g, Precision p, LinkStorage links)
{
    std::vector<LaunchCase> all;
    for (const ShapedKernel kernel : kernels_of_hops(hopping_reads_faces(g)))
        all.push_back({.kernel = kernel,
                       .real_bits = 8 * int(real_bytes(p)),
                       .math_bits = 8 * int(math_bytes(p)),
                       .links = reals(links),
                       .blocks = {g.m[0], g.m[1], g.m[2], g.m[3]}});
    return all;
}

bool is(const MeasuredShape& m, const LaunchCase& c) { return m.choice.launch == c; }

bool has(const std::vector<MeasuredShape>& shapes, const LaunchCase& c)
{
    return std::any_of(shapes.begin(), shapes.end(),
                       [&](const MeasuredShape& m) { return is(m, c); });
}

/// Those of `newer`, and those of `older` of which there are no newer ones.
std::vector<MeasuredShape> merged(std::vector<MeasuredShape> older,
                                  const std::vector<MeasuredShape>& newer)
{
    std::erase_if(older, [&](const MeasuredShape& m) { return has(newer, m.choice.launch); });
    older.insert(older.end(), newer.begin(), newer.end());
    return older;
}

/// A hop as a solve has it.
struct TimedHop {
    TimedHop(const LaunchCase& c, const tile_shape& g, Precision p, LinkStorage links)
    {
        const bool bare =
            c.kernel == ShapedKernel::hopping || c.kernel == ShapedKernel::hopping_with_faces;
        const bool sums = c.kernel == ShapedKernel::hopping_sums ||
                          c.kernel == ShapedKernel::hopping_sums_with_faces;
        args.shape = g;
        args.sums = sums ? QCD_SUM_RE_V_OUT | QCD_SUM_OUT_OUT | QCD_SUM_RE_U_OUT : 0;
        args.a = {0.75, -0.25, 0.5, 0.125};
        args.b = {-0.5, 0.25, 1.25, -0.75};
        const std::size_t lanes = std::size_t(g.blocks) * QCD_LANES;
        const std::size_t spinor = lanes * spinor_bytes(p);
        std::vector<std::size_t> bytes(hopping_slots);
        bytes[hopping_out] = bytes[hopping_psi] = spinor;
        bytes[hopping_links] = bytes[hopping_links_other] =
            lanes * 4 * reals(links) * real_bytes(p);
        if (!bare) bytes[hopping_v] = spinor;
        if (sums) bytes[hopping_u] = spinor;
        if (sums) bytes[hopping_sums] = QCD_TASK_SUM_WORDS * sizeof(i64);
        for (int face = 0; face < 8; ++face)
            if (g.cut[face / 2])
                bytes[hopping_faces + face] = std::size_t(face_blocks(g, face / 2)) *
                                              QCD_HALF_ROWS * QCD_LANES * math_bytes(p);
        call = {&hopping_codelet(p, links), &args, std::move(bytes)};
    }
    TimedHop(const TimedHop&) = delete;
    TimedHop& operator=(const TimedHop&) = delete;

    hopping_args args{};
    TimedCall call{};
};

MeasuredShape measure_hop(LaunchTimer& timer, const LaunchCase& c, const TimedHop& hop)
{
    use_launch_shapes({});
    double seconds = timer.seconds_of(hop.call, 1);
    const int warm_up = int(std::clamp(warm_up_seconds / seconds, 3.0, 2000.0));
    seconds = timer.seconds_of(hop.call, warm_up);
    const int calls = std::clamp(int(std::ceil(sample_seconds / seconds)), 1, most_calls);
    return search_shape(c, [&](const LaunchShape& s) {
        use_launch_shapes({{c, s}});
        return timer.seconds_of(hop.call, calls);
    });
}

} // namespace

LaunchTuning::LaunchTuning(const cli::MachineOptions& options, const Session& session,
                           std::function<void(const std::string&)> say)
    : options_(options), say_(std::move(say))
{
    const std::vector<int> workers = session.worker_ids(STARPU_CUDA_WORKER);
    if (workers.empty() && needs_cuda(options.tune))
        throw DeviceError("--tune: no CUDA device works in this run");
    if (workers.empty() || options.tune == cli::Tune::off || options.tune == cli::Tune::typed)
        return;
    device_ = starpu_worker_get_devid(workers.front());
    const CudaDevice device = describe_cuda_device(device_);
    for (const int worker : workers)
        if (describe_cuda_device(starpu_worker_get_devid(worker)) != device) {
            say_("the default ones: the GPUs are not all of one kind");
            return;
        }
    file_.emplace(device);
    report_.emplace();
    report_->file = file_->path();
    std::string problem;
    known_ = file_->read(problem);
    if (!problem.empty()) complain(problem);
}

LaunchTuning::~LaunchTuning() { use_launch_shapes({}); }

void LaunchTuning::prepare(const Tiling& tiling, Precision p, LinkStorage links)
{
    std::vector<LaunchCase> all, missing;
    for (int tile = 0; tile < tiling.tile_count(); ++tile)
        for (const LaunchCase& c : cases_of(tiling.shape(tile), p, links))
            if (std::find(all.begin(), all.end(), c) == all.end()) all.push_back(c);
    if (options_.tune == cli::Tune::typed) use_typed(all);
    if (!report_) return;
    for (const LaunchCase& c : all)
        if (!has(options_.tune == cli::Tune::again ? measured_ : known_, c)) missing.push_back(c);
    if (missing.empty())
        say_(fmt::format("known from {}", file_->path()));
    else
        measure(missing, tiling, p, links);
    for (const LaunchCase& c : all)
        for (const MeasuredShape& m : known_)
            if (is(m, c) && !has(report_->shapes, c)) report_->shapes.push_back(m);
    use_launch_shapes(*choices()); // few: every launch looks into them
}

std::optional<std::vector<ShapeChoice>> LaunchTuning::choices() const
{
    if (options_.tune == cli::Tune::typed) return options_.launch_shapes;
    if (!report_) return std::nullopt;
    std::vector<ShapeChoice> all;
    for (const MeasuredShape& m : report_->shapes) all.push_back(m.choice);
    return all;
}

void LaunchTuning::use_typed(const std::vector<LaunchCase>& cases) const
{
    std::vector<ShapeChoice> choices;
    for (const ShapeChoice& typed : options_.launch_shapes) {
        const auto found = std::find_if(cases.begin(), cases.end(), [&](const LaunchCase& c) {
            return c.kernel == typed.launch.kernel && c.blocks == typed.launch.blocks;
        });
        LaunchCase launch = found == cases.end() ? typed.launch : *found;
        launch.several = typed.launch.several;
        if (found == cases.end() || !fits(typed.shape, launch))
            throw Error(fmt::format("--tune: {}: {}", to_string(typed),
                                    found == cases.end() ? "no kernel of this run is launched on "
                                                           "so many blocks"
                                                         : "the kernel cannot have this shape"));
        choices.push_back({launch, typed.shape});
    }
    use_launch_shapes(std::move(choices));
}

void LaunchTuning::measure(const std::vector<LaunchCase>& cases, const Tiling& tiling, Precision p,
                           LinkStorage links)
{
    Stopwatch clock;
    const std::size_t measured_before = measured_.size();
    double seconds = 0; // of this call
    try {
        const auto shape_of = [&](const LaunchCase& c) {
            for (int tile = 0;; ++tile)
                if (const auto all = cases_of(tiling.shape(tile), p, links);
                    std::find(all.begin(), all.end(), c) != all.end())
                    return tiling.shape(tile);
        };
        std::size_t bytes = 0;
        for (const LaunchCase& c : cases)
            bytes = std::max(bytes, TimedHop(c, shape_of(c), p, links).call.bytes());
        if (options_.gpu_memory && bytes > std::size_t(*options_.gpu_memory))
            throw Error("a tile's data exceed --gpu-memory");
        LaunchTimer timer(device_, bytes, word_bytes(p));
        for (const LaunchCase& c : cases) {
            if (stop_requested || report_->seconds + seconds > most_seconds) break;
            measured_.push_back(measure_hop(timer, c, TimedHop(c, shape_of(c), p, links)));
            seconds += clock.lap();
        }
    } catch (const Error& e) {
        complain(fmt::format("launch shapes are not measured: {}", e.what()));
    }
    report_->seconds += seconds;
    if (measured_.size() == measured_before) return;
    known_ = merged(known_, measured_);
    const auto better =
        std::count_if(measured_.begin() + measured_before, measured_.end(),
                      [](const MeasuredShape& m) { return m.choice.shape != LaunchShape{}; });
    say_(fmt::format("measured for {} kernels in {:.2f} s, other than the default for {}",
                     measured_.size() - measured_before, seconds, better));
    keep();
}

/// Other processes may have kept something meanwhile.
void LaunchTuning::keep() const
{
    std::string ignored;
    if (const std::string problem = file_->write(merged(file_->read(ignored), measured_));
        !problem.empty())
        complain(problem);
}

} // namespace qcd

#include "studies/yardsticks/yardsticks.hpp"

#include "drivers/cli/argument_checks.hpp"
#include "drivers/cli/parser.hpp"
#include "drivers/stopwatch.hpp"
#include "lattice/error.hpp"
#include "lattice/random.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/owned_data.hpp"
#include "studies/frame/options.hpp"
#include "studies/matmul/args.h"
#include "studies/matmul/matmul.hpp"
#include "studies/yardsticks/args.h"
#include "studies/yardsticks/libraries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace qcd::studies
{

namespace
{

constexpr int columns = 4096; // of an array's rows
constexpr int most_mebibytes = 4096;

/// Data of one worker.
struct OfWorker {
    int worker;
    std::unique_ptr<HostData> a, b, c;
};

/// Of workers of one kind at the same time.
class Kind
{
public:
    Kind(Graph& graph, std::vector<int> workers, std::size_t elements, std::size_t element_bytes)
        : graph_(graph)
    {
        for (const int w : workers) {
            const auto data = [&] {
                return std::make_unique<HostData>(graph, elements, element_bytes, w);
            };
            all_.push_back({w, data(), data(), data()});
        }
    }
    /// f(memory of a, b, c) for each worker.
    template <class F>
    void fill(const F& f)
    {
        for (const OfWorker& own : all_) {
            for (const auto* d : {&own.a, &own.b, &own.c}) graph_.acquire((*d)->data(), STARPU_RW);
            f(own.a->host(), own.b->host(), own.c->host());
            for (const auto* d : {&own.a, &own.b, &own.c}) graph_.release((*d)->data());
        }
    }
    /// Seconds of submit(own) for all workers, the data being there.
    template <class F>
    double once(const F& submit)
    {
        for (const OfWorker& own : all_)
            for (const auto* d : {&own.a, &own.b, &own.c})
                graph_.fetch((*d)->data(), own.worker, STARPU_R);
        Stopwatch clock;
        for (const OfWorker& own : all_) submit(own);
        graph_.wait();
        return clock.lap();
    }
    /// The best of several.
    template <class F>
    double best(const F& submit)
    {
        double best = once(submit);
        for (int i = 0; i < 5; ++i) best = std::min(best, once(submit));
        return best;
    }
    double count() const { return double(all_.size()); }

private:
    Graph& graph_;
    std::vector<OfWorker> all_;
};

class Yardsticks : public Study
{
public:
    void add_options(cli::Parser& app) override
    {
        app.add_option("--size", mebibytes_, "MiB of each of a worker's three arrays of STREAM")
            ->type_name("N")
            ->transform(cli::whole(1, most_mebibytes))
            ->capture_default_str();
        app.add_option("--matrix", matrix_, "rows of the square matrices of DGEMM")
            ->type_name("N")
            ->transform(cli::whole(1, 20000))
            ->capture_default_str();
        app.add_option("--pairs", pairs_, "of 32 bits and 32 bits, sorted by a worker")
            ->type_name("N")
            ->transform(cli::whole(1, 1 << 28))
            ->capture_default_str();
    }

    void finish_options(const cli::Parser& app) override
    {
        if (app.get_option("--plan")->as<std::string>() != "graph")
            throw Error("--plan: every worker has tasks of its own: graph");
    }

    void prepare(const Session& session, const Plan& plan) override
    {
        const std::size_t of_worker =
            3 * std::max({std::size_t(mebibytes_) << 20, sizeof(double) * matrix_ * matrix_,
                          sizeof(std::uint32_t) * std::size_t(pairs_)});
        require_memory("the arrays", of_worker * std::size_t(session.workers().all()),
                       probe_machine());
        opencl_prepare(stream_codelet(), plan.row_bytes);
    }

    Result run(const Run& r) override
    {
        Result result;
        Stopwatch clock;
        for (const auto& [type, name] : {std::pair{STARPU_CPU_WORKER, "cores"},
                                         {STARPU_CUDA_WORKER, "CUDA"},
                                         {STARPU_OPENCL_WORKER, "OpenCL"}}) {
            const std::vector<int> workers = r.session.worker_ids(type);
            if (!workers.empty()) measure(r.graph, workers, name, result);
        }
        result.seconds = clock.lap();
        result.one_digest = false;
        return result;
    }

    std::string problem() const override
    {
        return fmt::format("STREAM on arrays of {} MiB, DGEMM of {}x{}, a sort of {} pairs",
                           mebibytes_, matrix_, matrix_, pairs_);
    }

    Json to_json() const override
    {
        return {{"size", mebibytes_},
                {"matrix", matrix_},
                {"pairs", pairs_},
                {"openblas", openblas_words()},
                {"cublas", cublas_words()}};
    }

private:
    void measure(Graph& graph, const std::vector<int>& workers, const std::string& name,
                 Result& result) const
    {
        const auto add = [&](const std::string& what, const char* unit, const std::string& meaning,
                             double value) {
            result.quantities.push_back(
                {name + "-" + what, unit, meaning + ", all workers of the kind together", value});
        };
        measure_stream(graph, workers, add, result);
        if (matmul_codelet("library").can_run(workers.front()))
            measure_dgemm(graph, workers, add, result);
        if (sort_codelet().can_run(workers.front())) measure_sort(graph, workers, add, result);
    }

    template <class Add>
    void measure_stream(Graph& graph, const std::vector<int>& workers, const Add& add,
                        Result& result) const
    {
        const int rows =
            std::max(1, int((std::size_t(mebibytes_) << 20) / sizeof(double) / columns));
        const double elements = double(rows) * columns;
        Kind kind(graph, workers, std::size_t(rows) * columns, sizeof(double));
        kind.fill([&](void*, void* b, void* c) {
            std::fill_n(static_cast<double*>(b), std::size_t(rows) * columns, 1.5);
            std::fill_n(static_cast<double*>(c), std::size_t(rows) * columns, 0.25);
        });
        constexpr double s = 3;
        const struct {
            const char* name;
            const char* what;
            int arrays;
            double value;
        } loops[stream_kinds] = {{"copy", "a = b", 2, 1.5},
                                 {"scale", "a = s b", 2, s * 1.5},
                                 {"add", "a = b + c", 3, 1.75},
                                 {"triad", "a = b + s c", 3, 1.5 + s * 0.25}};
        for (int k = 0; k < stream_kinds; ++k) {
            const auto submit = [&](const OfWorker& own) {
                graph.submit(
                    stream_codelet(), stream_args{columns, rows, k, s},
                    {own.a->data(), own.b->data(), loops[k].arrays == 3 ? own.c->data() : Data{}});
            };
            const double seconds = kind.best(submit);
            add(loops[k].name, "GB/s",
                fmt::format("{}, {} bytes an element", loops[k].what, 8 * loops[k].arrays),
                1e-9 * 8 * loops[k].arrays * elements * kind.count() / seconds);
            kind.fill([&](void* a, void*, void*) {
                const double* values = static_cast<const double*>(a);
                if (std::any_of(values, values + std::size_t(rows) * columns,
                                [&](double v) { return v != loops[k].value; }))
                    result.fault = fmt::format("STREAM {}: a wrong element", loops[k].name);
            });
        }
    }

    template <class Add>
    void measure_dgemm(Graph& graph, const std::vector<int>& workers, const Add& add,
                       Result& result) const
    {
        const std::size_t n = std::size_t(matrix_);
        Kind kind(graph, workers, n * n, sizeof(double));
        kind.fill([&](void*, void* b, void* c) {
            std::fill_n(static_cast<double*>(b), n * n, 0.5);
            std::fill_n(static_cast<double*>(c), n * n, 0.25);
        });
        int calls = 0;
        const double seconds = kind.best([&](const OfWorker& own) {
            graph.submit(matmul_codelet("library"), matmul_args{matrix_, matrix_, matrix_},
                         {own.a->data(), own.b->data(), own.c->data()});
            ++calls;
        });
        add("dgemm", "GF/s", "2 N^3 flop", 2e-9 * double(n * n * n) * kind.count() / seconds);
        const double expected = 0.125 * double(n) * calls / kind.count(); // exact
        kind.fill([&](void* a, void*, void*) {
            const double* values = static_cast<const double*>(a);
            if (std::any_of(values, values + n * n, [&](double v) { return v != expected; }))
                result.fault = "DGEMM: a wrong element";
        });
    }

    template <class Add>
    void measure_sort(Graph& graph, const std::vector<int>& workers, const Add& add,
                      Result& result) const
    {
        const std::size_t n = std::size_t(pairs_);
        Kind kind(graph, workers, n, sizeof(std::uint32_t));
        double best = 0;
        for (int i = 0; i < 3; ++i) {
            kind.fill([&](void* keys, void* values, void*) {
                for (std::size_t p = 0; p < n; ++p) {
                    static_cast<std::uint32_t*>(keys)[p] = std::uint32_t(splitmix64(p));
                    static_cast<std::uint32_t*>(values)[p] = std::uint32_t(p);
                }
            });
            const double seconds = kind.once([&](const OfWorker& own) {
                graph.submit(sort_codelet(), sort_args{pairs_}, {own.a->data(), own.b->data()});
            });
            best = i == 0 ? seconds : std::min(best, seconds);
        }
        add("sort", "M/s", "pairs of random keys", 1e-6 * double(n) * kind.count() / best);
        kind.fill([&](void* keys, void* values, void*) {
            const auto* k = static_cast<const std::uint32_t*>(keys);
            const auto* v = static_cast<const std::uint32_t*>(values);
            for (std::size_t p = 0; p < n; ++p)
                if (k[p] != std::uint32_t(splitmix64(v[p])) || (p > 0 && k[p] < k[p - 1]))
                    result.fault = "the pairs are not sorted";
        });
    }

    int mebibytes_ = 64, matrix_ = 512, pairs_ = 1 << 20;
};

} // namespace

std::unique_ptr<Study> make_yardsticks() { return std::make_unique<Yardsticks>(); }

} // namespace qcd::studies

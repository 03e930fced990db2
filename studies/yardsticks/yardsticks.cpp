#include "studies/yardsticks/yardsticks.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "program/cli/parser.hpp"
#include "program/stopwatch.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/owned_data.hpp"
#include "studies/all_studies.hpp"
#include "studies/frame/options.hpp"
#include "studies/matmul/args.h"
#include "studies/matmul/matmul.hpp"
#include "studies/yardsticks/libraries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace qcd::studies
{

namespace
{

constexpr int columns = 4096; // of an array's rows
constexpr int most_mebibytes = 4096;

using Add = std::function<void(const char* what, const char* unit, const std::string& meaning,
                               double value)>;

struct OfWorker {
    int worker;
    std::unique_ptr<StarpuData> a, b, c;
};

/// Measures workers of one kind at the same time.
class Kind
{
public:
    Kind(Graph& graph, const std::vector<int>& workers, std::size_t elements,
         std::size_t element_bytes)
        : graph_(graph)
    {
        for (const int w : workers) {
            const auto data = [&] {
                return std::make_unique<StarpuData>(graph, elements, element_bytes, w);
            };
            all_.push_back({w, data(), data(), data()});
        }
    }
    /// f(a, b) in the host's memory, for each worker: both are read, or both made.
    template <class T, class F>
    void on_host(starpu_data_access_mode mode, const F& f)
    {
        for (const OfWorker& own : all_) {
            const Data a = own.a->data(), b = own.b->data();
            graph_.acquire(a, mode);
            graph_.acquire(b, mode);
            f(reinterpret_cast<T*>(starpu_data_get_local_ptr(a.handle)),
              reinterpret_cast<T*>(starpu_data_get_local_ptr(b.handle)));
            graph_.release(b);
            graph_.release(a);
        }
    }
    /// Seconds of submit(own) for all workers.
    template <class F>
    double once(const F& submit)
    {
        return seconds_of(graph_, [&] { for_all(submit); });
    }
    /// The best of several, after one that brings the data.
    template <class F>
    double best(const F& submit)
    {
        constexpr int rounds = 5;
        return best_seconds(graph_, rounds, [&] { for_all(submit); });
    }
    double count() const { return double(all_.size()); }

private:
    template <class F>
    void for_all(const F& submit) const
    {
        for (const OfWorker& own : all_) submit(own);
    }
    Graph& graph_;
    std::vector<OfWorker> all_;
};

class Yardsticks : public Study
{
public:
    void add_options(cli::Parser& app) override
    {
        add_count(app, "--size", mebibytes_, 1, most_mebibytes,
                  "MiB of each of a worker's three arrays of STREAM");
        add_count(app, "--matrix", matrix_, 1, 20000, "rows of the square matrices of DGEMM");
        add_count(app, "--pairs", pairs_, 1, 1 << 28, "of 32 bits and 32 bits, sorted by a worker");
    }

    void finish_options(const cli::Parser& app) override
    {
        if (app.get_option("--plan")->as<std::string>() != "graph")
            throw Error("--plan: every worker has tasks of its own: graph");
    }

    void prepare(const Session& session) override
    {
        const std::size_t of_worker =
            3 * std::max({std::size_t(mebibytes_) << 20, sizeof(double) * matrix_ * matrix_,
                          sizeof(std::uint32_t) * std::size_t(pairs_)});
        require_memory("the arrays", of_worker * std::size_t(session.workers().all()),
                       probe_machine());
        opencl_prepare(stream_codelet());
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
        const Add add = [&](const char* what, const char* unit, const std::string& meaning,
                            double value) {
            result.quantities.push_back({fmt::format("{}-{}", name, what), unit, Better::higher,
                                         meaning + ", all workers of the kind together", value});
        };
        measure_stream(graph, workers, add, result);
        if (matmul_library_codelet().can_run(workers.front()))
            measure_dgemm(graph, workers, add, result);
        if (sort_codelet().can_run(workers.front())) measure_sort(graph, workers, add, result);
    }

    void measure_stream(Graph& graph, const std::vector<int>& workers, const Add& add,
                        Result& result) const
    {
        const int rows =
            std::max(1, int((std::size_t(mebibytes_) << 20) / sizeof(double) / columns));
        const double elements = double(rows) * columns;
        Kind kind(graph, workers, std::size_t(rows) * columns, sizeof(double));
        const auto run = [&](int loop, double s, const Data& to, const Data& x, const Data& y) {
            graph.submit(stream_codelet(), stream_args{columns, rows, loop, s}, {to, x, y});
        };
        constexpr double s = 3;
        kind.once([&](const OfWorker& own) { run(stream_fill, 1, own.a->data(), {}, {}); });
        const auto measured = [&](const char* what, const char* formula, int arrays,
                                  const auto& submit) {
            add(what, "GB/s", fmt::format("{}, {} bytes an element", formula, 8 * arrays),
                1e-9 * 8 * arrays * elements * kind.count() / kind.best(submit));
        };
        measured("copy", "c = a", 2, [&](const OfWorker& own) {
            run(stream_copy, s, own.c->data(), own.a->data(), {});
        });
        measured("scale", "b = s c", 2, [&](const OfWorker& own) {
            run(stream_scale, s, own.b->data(), own.c->data(), {});
        });
        measured("add", "c = a + b", 3, [&](const OfWorker& own) {
            run(stream_add, s, own.c->data(), own.a->data(), own.b->data());
        });
        measured("triad", "a = b + s c", 3, [&](const OfWorker& own) {
            run(stream_triad, s, own.a->data(), own.b->data(), own.c->data());
        });
        const double b = s, a = b + s * (1 + b); // what one loop makes is read by the next
        kind.on_host<double>(STARPU_R, [&](const double* as, const double* bs) {
            for (std::size_t i = 0; i < std::size_t(rows) * columns; ++i)
                if (as[i] != a || bs[i] != b) result.fault = "STREAM: a wrong element";
        });
    }

    void measure_dgemm(Graph& graph, const std::vector<int>& workers, const Add& add,
                       Result& result) const
    {
        const std::size_t n = std::size_t(matrix_);
        Kind kind(graph, workers, n * n, sizeof(double));
        const auto fill = [&](const Data& data, double value) {
            graph.submit(stream_codelet(), stream_args{matrix_, matrix_, stream_fill, value},
                         {data, Data{}, Data{}});
        };
        kind.once([&](const OfWorker& own) {
            fill(own.a->data(), 0);
            fill(own.b->data(), 0.5);
            fill(own.c->data(), 0.25);
        });
        int calls = 0;
        const double seconds = kind.best([&](const OfWorker& own) {
            graph.submit(matmul_library_codelet(), matmul_args{matrix_, matrix_, matrix_},
                         {own.a->data(), own.b->data(), own.c->data()});
            ++calls;
        });
        add("dgemm", "GF/s", "2 N^3 flop", 2e-9 * double(n * n * n) * kind.count() / seconds);
        const double expected = 0.125 * double(n) * calls / kind.count(); // exact
        kind.on_host<double>(STARPU_R, [&](const double* c, const double*) {
            if (std::any_of(c, c + n * n, [&](double v) { return v != expected; }))
                result.fault = "DGEMM: a wrong element";
        });
    }

    void measure_sort(Graph& graph, const std::vector<int>& workers, const Add& add,
                      Result& result) const
    {
        const std::size_t n = std::size_t(pairs_);
        Kind kind(graph, workers, n, sizeof(std::uint32_t));
        double best = 0;
        for (int i = 0; i < 3; ++i) {
            kind.on_host<std::uint32_t>(STARPU_W, [&](std::uint32_t* keys, std::uint32_t* values) {
                for (std::size_t p = 0; p < n; ++p) {
                    keys[p] = std::uint32_t(splitmix64(p));
                    values[p] = std::uint32_t(p);
                }
            });
            kind.once([&](const OfWorker& own) {
                for (const auto* data : {&own.a, &own.b})
                    graph.fetch((*data)->data(), own.worker, STARPU_R);
            });
            const double seconds = kind.once([&](const OfWorker& own) {
                graph.submit(sort_codelet(), sort_args{pairs_}, {own.a->data(), own.b->data()});
            });
            best = i == 0 ? seconds : std::min(best, seconds);
        }
        add("sort", "M/s", "pairs of random keys", 1e-6 * double(n) * kind.count() / best);
        kind.on_host<std::uint32_t>(STARPU_R,
                                    [&](const std::uint32_t* keys, const std::uint32_t* values) {
                                        for (std::size_t p = 0; p < n; ++p)
                                            if (keys[p] != std::uint32_t(splitmix64(values[p])) ||
                                                (p > 0 && keys[p] < keys[p - 1]))
                                                result.fault = "the pairs are not sorted";
                                    });
    }

    int mebibytes_ = 64, matrix_ = 512, pairs_ = 1 << 20;
};

} // namespace

std::unique_ptr<Study> make_yardsticks() { return std::make_unique<Yardsticks>(); }

} // namespace qcd::studies

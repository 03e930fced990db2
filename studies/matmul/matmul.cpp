#include "studies/matmul/matmul.hpp"

#include "drivers/cli/argument_checks.hpp"
#include "drivers/cli/parser.hpp"
#include "drivers/stopwatch.hpp"
#include "lattice/error.hpp"
#include "lattice/random.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/opencl_program.hpp"
#include "studies/frame/cells.hpp"
#include "studies/frame/options.hpp"
#include "studies/matmul/args.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace qcd::studies
{

namespace
{

constexpr int most_extent = 40000; // elements of a tile are numbered by int

using Matrix = Cells<2, double>; // x: column, y: row

const cli::Words<bool> beginnings{{"host", false}, {"device", true}};

std::vector<double> random_matrix(int rows, int columns, std::uint64_t seed)
{
    std::vector<double> all(std::size_t(rows) * columns);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = uniform(i, seed);
    return all;
}

/// out = M v
std::vector<double> times(const std::vector<double>& m, const std::vector<double>& v)
{
    std::vector<double> out(m.size() / v.size());
    for (std::size_t y = 0; y < out.size(); ++y)
        for (std::size_t x = 0; x < v.size(); ++x) out[y] += m[y * v.size() + x] * v[x];
    return out;
}

double norm(const std::vector<double>& v)
{
    double sum = 0;
    for (const double x : v) sum += x * x;
    return std::sqrt(sum);
}

int padded(int n)
{
    const int to = QCD_MATMUL_SIDE; // a multiple of the depth
    return (n + to - 1) / to * to;
}

class Matmul : public Study
{
public:
    void add_options(cli::Parser& app) override
    {
        app.add_option_function<std::string>(
               "--size",
               [this](const std::string& text) {
                   const std::vector<int> n = parse_numbers("--size", text, 3, most_extent, 0);
                   m_ = n[0];
                   n_ = n[1] ? n[1] : n[0];
                   k_ = n[2] ? n[2] : n_;
               },
               "rows of C, columns of C, columns of A; N: all the same [256]")
            ->type_name("N|MxNxK");
        cli::add_choice(app, "--version", version_, versions(), "which kernels");
        app.add_option_function<std::string>(
               "--tiles",
               [this](const std::string& text) {
                   const std::vector<int> n = parse_numbers("--tiles", text, 3, most_extent, 1);
                   tiles_ = {n[0], n[1], n[2]};
               },
               "tiles along these three [chosen: two or more of C a worker, one along K]")
            ->type_name("MxNxK");
        cli::add_choice(app, "--begin", on_device_, beginnings,
                        "where the only copy of the matrices is before");
    }

    void finish_options(const cli::Parser&) override
    {
        if (tiles_)
            for (const auto& [tiles, extent, name] : {std::tuple{(*tiles_)[0], m_, "rows of C"},
                                                      {(*tiles_)[1], n_, "columns of C"},
                                                      {(*tiles_)[2], k_, "columns of A"}})
                if (tiles > extent)
                    throw Error(fmt::format("--tiles: {} tiles of {} {}", tiles, extent, name));
    }

    void prepare(const Session& session, const Plan& plan) override
    {
        const WorkerCounts w = session.workers();
        require_memory("the matrices", bytes(), probe_machine());
        if (on_device_ && w.devices() == 0)
            throw Error("--begin device: no device works in this run");
        if (version_ == "library" && !matmul_codelet(version_).can_run(-1))
            throw DeviceError("--version library: no worker of this run has one (OpenBLAS on "
                              "cores, cuBLAS on CUDA devices)");
        if (version_ == "naive" && w.cpu == 0)
            throw Error("--version naive: of cores alone, and none works in this run");
        device_ = w.devices() > 0 ? first_device(session) : -1;
        only_worker_ = w.all() == 1 && w.devices() == 1 ? 0 : -1;
        if (!tiles_) choose_tiles(w.all());
        const auto [tm, tn, tk] = *tiles_;
        grid_a_.emplace(std::array{k_, m_}, std::array{tk, tm});
        grid_b_.emplace(std::array{n_, k_}, std::array{tn, tk});
        grid_c_.emplace(std::array{n_, m_}, std::array{tn, tm});
        opencl_prepare(matmul_codelet(version_), plan.row_bytes);
        if (a_.empty()) {
            a_ = random_matrix(m_, k_, 1);
            b_ = random_matrix(k_, n_, 2);
        }
    }

    Result run(const Run& r) override
    {
        Stopwatch clock;
        Matrix a(r.graph, *grid_a_), b(r.graph, *grid_b_), c(r.graph, *grid_c_);
        const double allocation = clock.lap();
        a.set(a_);
        b.set(b_);
        for_each_tile(a, b, c, [&](const Data& d) {
            if (on_device_) r.graph.fetch(d, device_, STARPU_RW);
        });
        clock.lap();
        for_each_tile(a, b, c, [&](const Data& d) {
            if (only_worker_ >= 0) r.graph.fetch(d, only_worker_, STARPU_R);
        });
        const double there = clock.lap();
        {
            Graph::Batch batch(r.graph);
            const Graph::Iteration mark(r.graph, 1);
            multiply(r.graph, a, b, c);
        }
        r.graph.wait();
        const double compute = clock.lap();
        for (int p = 0; p < grid_c_->part_count(); ++p) {
            r.graph.acquire(c.data(p), STARPU_R);
            r.graph.release(c.data(p));
        }
        const double back = clock.lap();
        return result({allocation, there, compute, back}, c.get());
    }

    std::string problem() const override
    {
        return fmt::format("C ({}x{}) = A ({}x{}) B ({}x{}), version {}, tiles {}x{}x{}{}", m_, n_,
                           m_, k_, k_, n_, version_, (*tiles_)[0], (*tiles_)[1], (*tiles_)[2],
                           on_device_ ? ", data begin on the device" : "");
    }

    Json to_json() const override
    {
        return {{"size", {m_, n_, k_}},
                {"version", version_},
                {"tiles", *tiles_},
                {"begin", on_device_ ? "device" : "host"}};
    }

private:
    static const cli::Words<std::string>& versions()
    {
        static const cli::Words<std::string> words = [] {
            cli::Words<std::string> all;
            for (const std::string& name : matmul_versions()) all.emplace_back(name, name);
            return all;
        }();
        return words;
    }

    std::size_t bytes() const
    {
        return 2 * sizeof(double) *
               (std::size_t(m_) * k_ + std::size_t(k_) * n_ + std::size_t(m_) * n_);
    }

    static int first_device(const Session& session)
    {
        std::vector<int> ids = session.worker_ids(STARPU_CUDA_WORKER);
        if (ids.empty()) ids = session.worker_ids(STARPU_OPENCL_WORKER);
        return ids.front();
    }

    void choose_tiles(int workers)
    {
        const int wanted = workers == 1 ? 1 : 2 * workers;
        int rows = 1;
        while (rows * rows < wanted) ++rows;
        tiles_ = {std::min(rows, m_), std::min((wanted + rows - 1) / rows, n_), 1};
    }

    template <class F>
    void for_each_tile(Matrix& a, Matrix& b, Matrix& c, const F& f)
    {
        for (Matrix* matrix : {&a, &b, &c})
            for (int p = 0; p < matrix->grid().part_count(); ++p) f(matrix->data(p));
    }

    void multiply(Graph& graph, Matrix& a, Matrix& b, Matrix& c)
    {
        const auto [tm, tn, tk] = *tiles_;
        const Codelet& codelet = matmul_codelet(version_);
        const bool pads = version_ == "padded";
        const Padded pa(graph, pads ? &a : nullptr), pb(graph, pads ? &b : nullptr),
            pc(graph, pads ? &c : nullptr);
        for (int y = 0; y < tm; ++y)
            for (int x = 0; x < tn; ++x) {
                const int part_c = grid_c_->part_at({x, y});
                const auto [n, m] = grid_c_->extents(part_c);
                for (int k = 0; k < tk; ++k) {
                    const int part_a = grid_a_->part_at({k, y}), part_b = grid_b_->part_at({x, k});
                    const int depth = grid_a_->extents(part_a)[0];
                    if (pads)
                        graph.submit(codelet, matmul_args{padded(m), padded(n), padded(depth)},
                                     {pc.data(part_c), pa.data(part_a), pb.data(part_b)});
                    else
                        graph.submit(codelet, matmul_args{m, n, depth},
                                     {c.data(part_c), a.data(part_a), b.data(part_b)});
                }
                if (pads)
                    graph.submit(matmul_pad_codelet(), matmul_pad_args{m, n, padded(m), padded(n)},
                                 {c.data(part_c), pc.data(part_c)});
            }
    }

    /// Copies of a matrix's tiles, padded. Of null: nothing.
    class Padded
    {
    public:
        Padded(Graph& graph, Matrix* of)
        {
            for (int p = 0; of && p < of->grid().part_count(); ++p) {
                const auto [columns, rows] = of->grid().extents(p);
                tiles_.push_back(std::make_unique<StarpuData>(
                    graph, std::size_t(padded(columns)) * padded(rows), sizeof(double),
                    graph.owner(p, of->grid().part_count()), p));
                graph.submit(matmul_pad_codelet(),
                             matmul_pad_args{padded(rows), padded(columns), rows, columns},
                             {data(p), of->data(p)});
            }
        }
        Data data(int part) const { return tiles_[std::size_t(part)]->data(); }

    private:
        std::vector<std::unique_ptr<StarpuData>> tiles_;
    };

    struct Phases {
        double allocation, there, compute, back;
    };

    Result result(const Phases& t, const std::vector<double>& c) const
    {
        const double none = std::nan(""), flops = 2.0 * m_ * n_ * k_,
                     moved = only_worker_ < 0 ? none : 1e-9 * double(bytes()) / 2;
        Result r{.seconds = t.allocation + t.there + t.compute + t.back};
        r.quantities = {
            {"total", "s", "the four below", r.seconds},
            {"allocation", "s", "host memory of A, B and C, zeroed, pinned, and known to StarPU",
             t.allocation},
            {"transfer", "s", "A, B and C to the only device; with others it is in compute",
             only_worker_ < 0 ? none : t.there},
            {"compute", "s", "the tasks, from the first submission to the last end", t.compute},
            {"back", "s", "C to the host", t.back},
            {"rate", "GF/s", "2 M N K flop in compute", 1e-9 * flops / t.compute},
            {"bandwidth", "GB/s", "A, B and C in transfer", moved / t.there}};
        r.digest = digest_of(c.data(), c.size() * sizeof(double));
        r.one_digest = version_ != "library";
        r.fault = fault_of(c);
        return r;
    }

    /// C v = A (B v), for random v: an element that is wrong by more than rounding shows.
    std::string fault_of(const std::vector<double>& c) const
    {
        const std::vector<double> v = random_matrix(n_, 1, 3), cv = times(c, v);
        std::vector<double> difference = times(a_, times(b_, v));
        for (std::size_t y = 0; y < difference.size(); ++y) difference[y] -= cv[y];
        const double off = norm(difference) / (norm(a_) * norm(b_) * norm(v));
        constexpr double allowed = 1e-13;
        if (off < allowed) return "";
        return fmt::format("|C v - A (B v)| is {:.2g} of |A| |B| |v|, {:.2g} is rounding", off,
                           allowed);
    }

    int m_ = 256, n_ = 256, k_ = 256;
    std::string version_ = "blocks";
    std::optional<std::array<int, 3>> tiles_;
    bool on_device_ = false;
    int device_ = -1;      // StarPU's number of a worker there
    int only_worker_ = -1; // a device and nothing else: data go there once
    std::optional<Grid<2>> grid_a_, grid_b_, grid_c_;
    std::vector<double> a_, b_;
};

} // namespace

const std::vector<std::string>& matmul_versions()
{
    static const std::vector<std::string> all = {"naive", "blocks", "shared",
                                                 "four",  "padded", "library"};
    return all;
}

std::unique_ptr<Study> make_matmul() { return std::make_unique<Matmul>(); }

} // namespace qcd::studies

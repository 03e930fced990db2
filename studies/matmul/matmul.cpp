#include "studies/matmul/matmul.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "program/cli/parser.hpp"
#include "program/stopwatch.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/opencl_program.hpp"
#include "studies/all_studies.hpp"
#include "studies/frame/cells.hpp"
#include "studies/frame/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace qcd::studies
{

namespace
{

constexpr int most_extent = 40000; // elements of a tile are numbered by int

using Matrix = Cells<2, double>; // x: column, y: row
using Version = const Codelet& (*)();

const cli::Words<Version> matmul_versions{
    {"naive", matmul_naive_codelet},   {"blocks", matmul_blocks_codelet},
    {"shared", matmul_shared_codelet}, {"four", matmul_four_codelet},
    {"padded", matmul_padded_codelet}, {"library", matmul_library_codelet}};
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
        add_size(app, size_, most_extent, "N|MxNxK",
                 "rows of C, columns of C, columns of A; N: all the same [256]");
        cli::add_choice(app, "--version", version_, matmul_versions, "which kernels");
        add_tiles(app, tiles_, most_extent, "MxNxK",
                  "tiles along these three [chosen: two or more of C a worker, one along K]");
        cli::add_choice(app, "--begin", on_device_, beginnings,
                        "where the only copy of the matrices is before");
    }

    void finish_options(const cli::Parser&) override
    {
        constexpr const char* names[] = {"rows of C", "columns of C", "columns of A"};
        for (int i = 0; i < 3; ++i)
            if (tiles_[i] > size_[i])
                throw Error("--tiles: {} tiles of {} {}", tiles_[i], size_[i], names[i]);
    }

    void prepare(const Session& session) override
    {
        const WorkerCounts w = session.workers();
        require_memory("the matrices", bytes(), probe_machine());
        if (on_device_ && w.devices() == 0)
            throw Error("--begin device: no device works in this run");
        if (version_ == matmul_library_codelet && !version_().can_run(-1))
            throw DeviceError("--version library: no worker of this run has one (OpenBLAS on "
                              "cores, cuBLAS on CUDA devices)");
        if (version_ == matmul_naive_codelet && w.cpu == 0)
            throw Error("--version naive: of cores alone, and none works in this run");
        device_ = w.devices() > 0 ? first_device(session) : -1;
        device_alone_ = w.all() == 1 && w.devices() == 1;
        if (tiles_[0] == 0) choose_tiles(w);
        const auto [m, n, k] = size_;
        const auto [tm, tn, tk] = tiles_;
        grid_a_.emplace(std::array{k, m}, std::array{tk, tm});
        grid_b_.emplace(std::array{n, k}, std::array{tn, tk});
        grid_c_.emplace(std::array{n, m}, std::array{tn, tm});
        opencl_prepare(version_());
        if (a_.empty()) {
            a_ = random_matrix(m, k, 1);
            b_ = random_matrix(k, n, 2);
        }
    }

    Result run(const Run& r) override
    {
        Stopwatch clock;
        Matrix a(r.graph, *grid_a_), b(r.graph, *grid_b_), c(r.graph, *grid_c_);
        const double allocation = clock.lap();
        a.set(a_);
        b.set(b_);
        const auto fetch_all = [&](starpu_data_access_mode mode) {
            for (const Matrix* matrix : {&a, &b, &c})
                for (int p = 0; p < matrix->grid().part_count(); ++p)
                    r.graph.fetch(matrix->data(p), device_, mode);
        };
        if (on_device_) fetch_all(STARPU_RW);
        clock.lap();
        if (device_alone_) fetch_all(STARPU_R);
        const double there = clock.lap();
        const double compute = seconds_of(r.graph, [&] {
            Graph::Batch batch(r.graph);
            const Graph::Iteration mark(r.graph, 1);
            multiply(r.graph, a, b, c);
        });
        clock.lap();
        for (int p = 0; p < grid_c_->part_count(); ++p) {
            r.graph.acquire(c.data(p), STARPU_R);
            r.graph.release(c.data(p));
        }
        const double back = clock.lap();
        return result({allocation, there, compute, back}, c.get());
    }

    std::string problem() const override
    {
        const auto [m, n, k] = size_;
        return fmt::format("C ({}x{}) = A ({}x{}) B ({}x{}), version {}, tiles {}{}", m, n, m, k, k,
                           n, version_word(), fmt::join(tiles_, "x"),
                           on_device_ ? ", data begin on the device" : "");
    }

    Json to_json() const override
    {
        return {{"size", size_},
                {"version", version_word()},
                {"tiles", tiles_},
                {"begin", cli::word_of(beginnings, on_device_)}};
    }

private:
    std::string_view version_word() const { return cli::word_of(matmul_versions, version_); }

    std::size_t bytes() const
    {
        const auto [m, n, k] = size_;
        return 2 * sizeof(double) * (std::size_t(m) * k + std::size_t(k) * n + std::size_t(m) * n);
    }

    static int first_device(const Session& session)
    {
        std::vector<int> ids = session.worker_ids(STARPU_CUDA_WORKER);
        if (ids.empty()) ids = session.worker_ids(STARPU_OPENCL_WORKER);
        return ids.front();
    }

    void choose_tiles(const WorkerCounts& w)
    {
        const int wanted = chosen_parts(w, 2 * w.all());
        int rows = 1;
        while (rows * rows < wanted) ++rows;
        tiles_ = {std::min(rows, size_[0]), std::min((wanted + rows - 1) / rows, size_[1]), 1};
    }

    using Tiles = DataOfParts<StarpuData>;

    /// Copies of a matrix's tiles.
    static Tiles padded_copies(Graph& graph, const Matrix& of)
    {
        const Grid<2>& grid = of.grid();
        Tiles tiles(graph, grid, sizeof(double), [&](int p) {
            return std::size_t(padded(grid.extents(p)[0])) * padded(grid.extents(p)[1]);
        });
        for (int p = 0; p < grid.part_count(); ++p) {
            const auto [columns, rows] = grid.extents(p);
            graph.submit(matmul_pad_codelet(),
                         matmul_pad_args{padded(columns), padded(rows), columns, rows},
                         {tiles.data(p), of.data(p)});
        }
        return tiles;
    }

    void multiply(Graph& graph, const Matrix& a, const Matrix& b, const Matrix& c) const
    {
        std::optional<Tiles> pa, pb, pc; // padded
        if (version_ == matmul_padded_codelet) {
            pa = padded_copies(graph, a);
            pb = padded_copies(graph, b);
            pc = padded_copies(graph, c);
        }
        const auto used = [](const std::optional<Tiles>& copies, const Matrix& own, int part) {
            return copies ? copies->data(part) : own.data(part);
        };
        const auto extent = [&](int n) { return pa ? padded(n) : n; };
        const auto [tm, tn, tk] = tiles_;
        for (int y = 0; y < tm; ++y)
            for (int x = 0; x < tn; ++x) {
                const int part_c = grid_c_->part_at({x, y});
                const auto [n, m] = grid_c_->extents(part_c);
                for (int k = 0; k < tk; ++k) {
                    const int part_a = grid_a_->part_at({k, y}), part_b = grid_b_->part_at({x, k});
                    const int depth = grid_a_->extents(part_a)[0];
                    graph.submit(version_(), matmul_args{extent(m), extent(n), extent(depth)},
                                 {used(pc, c, part_c), used(pa, a, part_a), used(pb, b, part_b)});
                }
                if (pc)
                    graph.submit(matmul_pad_codelet(), matmul_pad_args{n, m, padded(n), padded(m)},
                                 {c.data(part_c), pc->data(part_c)});
            }
    }

    struct Phases {
        double allocation, there, compute, back;
    };

    Result result(const Phases& t, const std::vector<double>& c) const
    {
        const double none = std::nan(""), flops = 2.0 * size_[0] * size_[1] * size_[2],
                     there = device_alone_ ? t.there : none;
        Result r{.seconds = t.allocation + t.there + t.compute + t.back};
        r.quantities = {
            {"total", "s", Better::lower, "the four below", r.seconds},
            {"allocation", "s", Better::lower,
             "host memory of A, B and C, zeroed, pinned, and known to StarPU", t.allocation},
            {"transfer", "s", Better::lower,
             "A, B and C to the only device; with others it is in compute", there},
            {"compute", "s", Better::lower, "the tasks, from the first submission to the last end",
             t.compute},
            {"back", "s", Better::lower, "C to the host", t.back},
            {"rate", "GF/s", Better::higher, "2 M N K flop in compute", 1e-9 * flops / t.compute},
            {"bandwidth", "GB/s", Better::higher, "A, B and C in transfer, which begin on the host",
             on_device_ ? none : 0.5e-9 * double(bytes()) / there}};
        r.digest = digest_of(c);
        r.one_digest = version_ != matmul_library_codelet;
        r.fault = fault_of(c);
        return r;
    }

    /// C v = A (B v), for random v: an element that is wrong by more than rounding shows.
    std::string fault_of(const std::vector<double>& c) const
    {
        const std::vector<double> v = random_matrix(size_[1], 1, 3), cv = times(c, v);
        std::vector<double> difference = times(a_, times(b_, v));
        for (std::size_t y = 0; y < difference.size(); ++y) difference[y] -= cv[y];
        const double off = norm(difference) / (norm(a_) * norm(b_) * norm(v));
        constexpr double allowed = 1e-13;
        if (off < allowed) return "";
        return fmt::format("|C v - A (B v)| is {:.2g} of |A| |B| |v|, {:.2g} is rounding", off,
                           allowed);
    }

    std::array<int, 3> size_{256, 256, 256}, tiles_{}; // M, N, K; no tiles: to be chosen
    Version version_ = matmul_blocks_codelet;
    bool on_device_ = false;
    int device_ = -1;           // StarPU's number of its worker
    bool device_alone_ = false; // no other worker: data go there once
    std::optional<Grid<2>> grid_a_, grid_b_, grid_c_;
    std::vector<double> a_, b_;
};

} // namespace

std::unique_ptr<Study> make_matmul() { return std::make_unique<Matmul>(); }

} // namespace qcd::studies

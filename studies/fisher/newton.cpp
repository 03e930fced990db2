#include "studies/fisher/newton.hpp"

#include "drivers/stopwatch.hpp"
#include "studies/fisher/operations.hpp"

#include <algorithm>
#include <cmath>

namespace qcd::studies
{

Newton::Newton(Graph& graph, const Grid<2>& grid, const NewtonControl& control)
    : graph_(graph), grid_(grid), control_(control), u_(graph, grid), old_(graph, grid),
      r_(graph, grid), p_(graph, grid), ap_(graph, grid), delta_(graph, grid),
      u_faces_(graph, grid, {0, 1}, sizeof(double)), p_faces_(graph, grid, {0, 1}, sizeof(double)),
      scalars_(graph, 1, sizeof(fisher_scalars), graph.owner(0, 1)),
      slabs_(std::size_t(grid.part_count()))
{
    for (int p = 0; p < grid.part_count(); ++p) {
        const int worker = graph.owner(p, grid.part_count());
        const auto [nx, ny] = grid.extents(p);
        Slab& slab = slabs_[std::size_t(p)];
        slab.edge =
            std::make_unique<HostData>(graph, std::size_t(nx) + 2, sizeof(double), worker, p);
        slab.sums = std::make_unique<StarpuData>(graph, std::size_t(ny), sizeof(double), worker, p);
    }
}

fisher_args Newton::args(int part) const
{
    const auto [nx, ny] = grid_.extents(part);
    return {nx, ny, 0, ny, control_.alpha, control_.beta};
}

void Newton::keep_old() { old_.set(u_.get()); }

double Newton::residual()
{
    u_faces_.make([&](int p) { return u_.data(p); });
    for (int p = 0; p < grid_.part_count(); ++p)
        graph_.submit(fisher_residual_codelet(), args(p),
                      {u_.data(p), old_.data(p), u_faces_.seen_by(p, 2), u_faces_.seen_by(p, 3),
                       slabs_[std::size_t(p)].edge->data(), r_.data(p), p_.data(p),
                       slabs_[std::size_t(p)].sums->data()});
    scalars(fisher_begin);
    return std::sqrt(read_scalars().rr);
}

void Newton::scalars(int step)
{
    fisher_scalars_args a{step, grid_.part_count(), {}, control_.cg_tolerance};
    std::vector<Operand> slots{scalars_.data()};
    for (int p = 0; p < grid_.part_count(); ++p) {
        a.rows[p] = grid_.extents(p)[1];
        slots.push_back(slabs_[std::size_t(p)].sums->data());
    }
    graph_.submit(fisher_scalars_codelet(), a, slots);
}

fisher_scalars Newton::read_scalars()
{
    graph_.acquire(scalars_.data(), STARPU_R);
    const fisher_scalars s = *static_cast<const fisher_scalars*>(scalars_.host());
    graph_.release(scalars_.data());
    return s;
}

void Newton::apply()
{
    p_faces_.make([&](int p) { return p_.data(p); });
    for (int p = 0; p < grid_.part_count(); ++p) {
        const Slab& slab = slabs_[std::size_t(p)];
        const Data above = p_faces_.seen_by(p, 2), below = p_faces_.seen_by(p, 3);
        const auto submit = [&](int first, int rows, bool with_faces, bool others_stay) {
            fisher_args a = args(p);
            a.first = first;
            a.rows = rows;
            if (rows <= 0) return;
            const auto written = [&](const Data& d) { return Operand(d, others_stay); };
            graph_.submit(fisher_apply_codelet(control_.wide), a,
                          {u_.data(p), p_.data(p), with_faces ? above : Data{},
                           with_faces ? below : Data{}, written(ap_.data(p)),
                           written(slab.sums->data())});
        };
        const int ny = grid_.extents(p)[1];
        if (!control_.apart || ny < 3) {
            submit(0, ny, true, false);
        } else { // first what needs no other slab
            submit(1, ny - 2, false, false);
            submit(0, 1, true, true);
            submit(ny - 1, 1, true, true);
        }
    }
}

void Newton::update()
{
    for (int p = 0; p < grid_.part_count(); ++p) {
        const fisher_args a = args(p);
        const Data sums = slabs_[std::size_t(p)].sums->data();
        if (control_.fused) {
            graph_.submit(
                fisher_update_codelet(), a,
                {scalars_.data(), p_.data(p), ap_.data(p), delta_.data(p), r_.data(p), sums});
            continue;
        }
        graph_.submit(fisher_axpy_codelet(), fisher_axpy_args{a.nx, a.ny, 1},
                      {scalars_.data(), p_.data(p), delta_.data(p)});
        graph_.submit(fisher_axpy_codelet(), fisher_axpy_args{a.nx, a.ny, -1},
                      {scalars_.data(), ap_.data(p), r_.data(p)});
        graph_.submit(fisher_norm_codelet(), a, {r_.data(p), sums});
    }
}

/// CG (Hestenes & Stiefel 1952) for A delta = r, where p = r and |r|^2 are there already.
void Newton::iterate()
{
    apply();
    scalars(fisher_set_alpha); // alpha = |r|^2 / (p, A p)
    update();                  // delta += alpha p, r -= alpha A p
    scalars(fisher_set_beta);  // beta = |r'|^2 / |r|^2
    for (int p = 0; p < grid_.part_count(); ++p) {
        const auto [nx, ny] = grid_.extents(p);
        graph_.submit(fisher_direction_codelet(), fisher_axpy_args{nx, ny, 1},
                      {scalars_.data(), r_.data(p), p_.data(p)});
    }
}

void Newton::solve(NewtonCount& count)
{
    fisher_scalars s{};
    for (int k = 0; k < control_.most_cg && s.done == 0;) {
        {
            Graph::Batch batch(graph_);
            for (int i = 0; i < control_.look; ++i, ++k) {
                const Graph::Iteration mark(graph_, k);
                iterate();
            }
        }
        s = read_scalars();
    }
    count.cg += long(s.iterations);
    count.converged = count.converged && s.done != 0;
}

void Newton::solve_as_one(NewtonCount& count)
{
    const auto [nx, ny] = grid_.extents(0);
    graph_.submit(fisher_whole_codelet(),
                  fisher_whole_args{nx, ny, control_.alpha, control_.beta, control_.cg_tolerance,
                                    control_.most_cg},
                  {u_.data(0), r_.data(0), p_.data(0), ap_.data(0), delta_.data(0),
                   slabs_[0].sums->data(), scalars_.data()});
    const fisher_scalars s = read_scalars();
    count.cg += long(s.iterations);
    count.converged = count.converged && s.done != 0;
}

void Newton::step(const std::vector<double>& edge, NewtonCount& count)
{
    for (const Slab& slab : slabs_) {
        graph_.acquire(slab.edge->data(), STARPU_W);
        std::copy(edge.begin(), edge.end(), static_cast<double*>(slab.edge->host()));
        graph_.release(slab.edge->data());
    }
    keep_old();
    const std::vector<double> zeros(std::size_t(grid_.extents()[0]) * grid_.extents()[1]);
    const double enough = control_.newton_tolerance * std::sqrt(double(zeros.size()));
    for (int n = 0; residual() > enough; ++n) {
        if (n == control_.most_newton || (control_.stop && *control_.stop)) {
            count.converged = false;
            return;
        }
        delta_.set(zeros);
        graph_.wait();
        Stopwatch clock;
        if (control_.whole)
            solve_as_one(count);
        else
            solve(count);
        graph_.wait();
        count.cg_seconds += clock.lap();
        ++count.newton;
        for (int p = 0; p < grid_.part_count(); ++p) { // A = -F', so u + delta
            const auto [nx, ny] = grid_.extents(p);
            graph_.submit(fisher_axpy_codelet(), fisher_axpy_args{nx, ny, 1},
                          {Data{}, delta_.data(p), u_.data(p)});
        }
    }
}

} // namespace qcd::studies

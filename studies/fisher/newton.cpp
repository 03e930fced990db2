#include "studies/fisher/newton.hpp"

#include "studies/fisher/operations.hpp"
#include "studies/frame/study.hpp"

#include <algorithm>
#include <cmath>

namespace qcd::studies
{

Newton::Newton(Graph& graph, const Grid<2>& grid, const NewtonControl& control)
    : graph_(graph), grid_(grid), control_(control), u_(graph, grid), old_(graph, grid),
      r_(graph, grid), p_(graph, grid), ap_(graph, grid), delta_(graph, grid),
      u_faces_(graph, grid, {0, 1}, sizeof(double)), p_faces_(graph, grid, {0, 1}, sizeof(double)),
      scalars_(graph, 1, sizeof(fisher_scalars), graph.owner(0, 1)),
      edges_(graph, grid, sizeof(double), [&](int) { return grid.extents()[0] + 2; }),
      sums_(graph, grid, sizeof(double), [&](int p) { return grid.extents(p)[1]; })
{
}

fisher_args Newton::args(int part) const
{
    const auto [nx, ny] = grid_.extents(part);
    return {nx, ny, 0, ny, control_.alpha, control_.beta};
}

void Newton::submit_cellwise(const Codelet& codelet, int p, double factor, const Operand& scalars,
                             const Cells<2, double>& x, const Cells<2, double>& y)
{
    const auto [nx, ny] = grid_.extents(p);
    graph_.submit(codelet, fisher_axpy_args{nx, ny, factor}, {scalars, x.data(p), y.data(p)});
}

double Newton::residual()
{
    u_faces_.make([&](int p) { return u_.data(p); });
    for (int p = 0; p < grid_.part_count(); ++p)
        graph_.submit(fisher_residual_codelet(), args(p),
                      {u_.data(p), old_.data(p), u_faces_.seen_by(p, 2), u_faces_.seen_by(p, 3),
                       edges_.data(p), r_.data(p), p_.data(p), sums_.data(p)});
    scalars(fisher_begin);
    return std::sqrt(read_first<fisher_scalars>(scalars_).rr);
}

void Newton::scalars(int step)
{
    fisher_scalars_args a{step, grid_.part_count(), {}, control_.cg_tolerance};
    std::vector<Operand> slots{scalars_.data()};
    for (int p = 0; p < grid_.part_count(); ++p) {
        a.rows[p] = grid_.extents(p)[1];
        slots.push_back(sums_.data(p));
    }
    graph_.submit(fisher_scalars_codelet(), a, slots);
}

void Newton::apply()
{
    const Codelet& codelet = control_.wide ? fisher_apply_wide_codelet() : fisher_apply_codelet();
    p_faces_.make([&](int p) { return p_.data(p); });
    for (int p = 0; p < grid_.part_count(); ++p) {
        const Data above = p_faces_.seen_by(p, 2), below = p_faces_.seen_by(p, 3);
        const auto submit = [&](int first, int rows, bool with_faces, bool others_stay) {
            fisher_args a = args(p);
            a.first = first;
            a.rows = rows;
            if (rows <= 0) return;
            const auto written = [&](const Data& d) { return Operand(d, others_stay); };
            graph_.submit(codelet, a,
                          {u_.data(p), p_.data(p), with_faces ? above : Data{},
                           with_faces ? below : Data{}, written(ap_.data(p)),
                           written(sums_.data(p))});
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
    for (int p = 0; p < grid_.part_count(); ++p)
        if (control_.fused) {
            graph_.submit(fisher_update_codelet(), args(p),
                          {scalars_.data(), p_.data(p), ap_.data(p), delta_.data(p), r_.data(p),
                           sums_.data(p)});
        } else {
            submit_cellwise(fisher_axpy_codelet(), p, 1, scalars_.data(), p_, delta_);
            submit_cellwise(fisher_axpy_codelet(), p, -1, scalars_.data(), ap_, r_);
            graph_.submit(fisher_norm_codelet(), args(p), {r_.data(p), sums_.data(p)});
        }
}

/// CG (Hestenes & Stiefel 1952) for A delta = r, where p = r and |r|^2 are there already.
void Newton::iterate()
{
    apply();
    scalars(fisher_set_alpha);                   // alpha = |r|^2 / (p, A p)
    update();                                    // delta += alpha p, r -= alpha A p
    scalars(fisher_set_beta);                    // beta = |r'|^2 / |r|^2
    for (int p = 0; p < grid_.part_count(); ++p) // p = r + beta p
        submit_cellwise(fisher_direction_codelet(), p, 1, scalars_.data(), r_, p_);
}

void Newton::solve()
{
    for (int k = 0; k < control_.most_cg && read_first<fisher_scalars>(scalars_).done == 0;) {
        Graph::Batch batch(graph_);
        for (int i = 0; i < control_.look; ++i, ++k) {
            const Graph::Iteration mark(graph_, k);
            iterate();
        }
    }
}

void Newton::solve_as_one()
{
    const auto [nx, ny] = grid_.extents();
    graph_.submit(fisher_whole_codelet(),
                  fisher_whole_args{nx, ny, control_.alpha, control_.beta, control_.cg_tolerance,
                                    control_.most_cg},
                  {u_.data(0), r_.data(0), p_.data(0), ap_.data(0), delta_.data(0), sums_.data(0),
                   scalars_.data()});
}

void Newton::step(const std::vector<double>& edge, NewtonCount& count)
{
    for (int p = 0; p < grid_.part_count(); ++p) {
        graph_.acquire(edges_.data(p), STARPU_W);
        std::copy(edge.begin(), edge.end(), static_cast<double*>(edges_.of(p).host()));
        graph_.release(edges_.data(p));
    }
    old_.set(u_.get());
    const std::vector<double> zeros(std::size_t(grid_.extents()[0]) * grid_.extents()[1]);
    const double enough = control_.newton_tolerance * std::sqrt(double(zeros.size()));
    for (int n = 0; residual() > enough; ++n) {
        if (n == control_.most_newton || (control_.stop && *control_.stop)) {
            count.converged = false;
            return;
        }
        delta_.set(zeros);
        count.cg_seconds += seconds_of(graph_, [&] { control_.whole ? solve_as_one() : solve(); });
        const fisher_scalars solved = read_first<fisher_scalars>(scalars_);
        count.cg += long(solved.iterations);
        count.converged = count.converged && solved.done != 0;
        ++count.newton;
        for (int p = 0; p < grid_.part_count(); ++p) // A = -F', so u + delta
            submit_cellwise(fisher_axpy_codelet(), p, 1, {}, delta_, u_);
    }
}

} // namespace qcd::studies

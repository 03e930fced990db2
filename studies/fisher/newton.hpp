#pragma once
// Newton's method with CG, as tasks on slabs.

#include "runtime/grid.hpp"
#include "studies/fisher/args.h"
#include "studies/frame/cells.hpp"
#include "studies/frame/faces.hpp"

#include <atomic>
#include <memory>
#include <vector>

namespace qcd::studies
{

struct NewtonControl {
    double alpha = 1, beta = 0; ///< of F (fisher/site.h)
    bool fused = true;          ///< delta, r and its norm in one kernel
    bool apart = false;         ///< rows that need other slabs' in tasks of their own
    bool wide = false;          ///< two cells at a time
    bool whole = false;         ///< CG as one kernel
    int look = 10;              ///< CG iterations between two looks at the residual; 1: waits each
    double newton_tolerance = 1e-10; ///< of |F(u)| / sqrt(cells)
    double cg_tolerance = 1e-8;      ///< of |r| / |r of the beginning|
    int most_newton = 50, most_cg = 10000;
    const std::atomic<bool>* stop = nullptr;
};

struct NewtonCount {
    long newton = 0, cg = 0;
    double cg_seconds = 0;
    bool converged = true;
};

class Newton
{
public:
    /// grid: cut in y alone.
    Newton(Graph&, const Grid<2>&, const NewtonControl&);

    void set(const std::vector<double>& u) { u_.set(u); }
    std::vector<double> get() { return u_.get(); }
    /// One step in time, with the boundary at its end: nx + 2 reals, as the operation's edge.
    void step(const std::vector<double>& edge, NewtonCount&);

private:
    fisher_args args(int part) const;
    double residual();
    void solve();
    void solve_as_one();
    void iterate();
    void apply();
    void update();
    void scalars(int step);
    /// Submits an operation on each cell of a part.
    void submit_cellwise(const Codelet&, int part, double factor, const Operand& scalars,
                         const Cells<2, double>& x, const Cells<2, double>& y);

    Graph& graph_;
    Grid<2> grid_;
    NewtonControl control_;
    Cells<2, double> u_, old_, r_, p_, ap_, delta_;
    Faces<2> u_faces_, p_faces_;
    HostData scalars_;
    DataOfParts<HostData> edges_;
    DataOfParts<StarpuData> sums_; ///< of rows
};

} // namespace qcd::studies

#include "drivers/compare/area_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

// lp_solve, since its licence (LGPL) suits both ours and what a process of ours also loads: GLPK,
// which StarPU's own bounds use, is under the GPL, and CLP's EPL excludes that one. StarPU's bounds
// also take the mean times of its models, and so may lie above what was measured.
#ifdef QCD_WITH_LPSOLVE
#include <lpsolve/lp_lib.h>
#endif

namespace qcd
{

namespace
{

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

AreaBound of_one_kind(const AreaProblem& p)
{
    AreaBound b;
    for (std::size_t sort = 0; sort < p.tasks.size(); ++sort) {
        b.tasks.push_back({p.tasks[sort]});
        if (p.tasks[sort] > 0) b.seconds += p.tasks[sort] * p.seconds[sort][0] / p.workers[0];
    }
    return b;
}

bool some_cannot_run(const AreaProblem& p)
{
    for (std::size_t sort = 0; sort < p.tasks.size(); ++sort)
        if (p.tasks[sort] > 0 && std::all_of(p.seconds[sort].begin(), p.seconds[sort].end(),
                                             [](double s) { return std::isinf(s); }))
            return true;
    return false;
}

#ifdef QCD_WITH_LPSOLVE

/// In units in which all is near 1, as solvers like it: seconds that the tasks would take one after
/// another where each is fastest; the unknowns are shares of a sort. Column 1 is T, then each sort
/// on each kind.
class Program
{
public:
    explicit Program(const AreaProblem& p)
        : p_(p), kinds_(p.workers.size()),
          lp_(make_lp(0, int(1 + p.tasks.size() * kinds_)), delete_lp)
    {
        for (std::size_t sort = 0; sort < p.tasks.size(); ++sort)
            if (p.tasks[sort] > 0)
                unit_ += p.tasks[sort] *
                         *std::min_element(p.seconds[sort].begin(), p.seconds[sort].end());
    }
    AreaBound solve()
    {
        AreaBound b{0, std::vector(p_.tasks.size(), std::vector<double>(kinds_))};
        if (!(unit_ > 0)) return b;
        set_verbose(lp_.get(), CRITICAL);
        set_add_rowmode(lp_.get(), true);
        add_kinds();
        add_sorts();
        set_add_rowmode(lp_.get(), false);
        REAL one = 1;
        int column = 1;
        set_obj_fnex(lp_.get(), 1, &one, &column);
        if (::solve(lp_.get()) != OPTIMAL) return {unknown, {}};
        b.seconds = get_objective(lp_.get()) * unit_;
        REAL* x = nullptr;
        get_ptr_variables(lp_.get(), &x);
        for (std::size_t sort = 0; sort < p_.tasks.size(); ++sort)
            for (std::size_t kind = 0; kind < kinds_; ++kind)
                b.tasks[sort][kind] = p_.tasks[sort] * x[column_of(sort, kind) - 1];
        return b;
    }

private:
    int column_of(std::size_t sort, std::size_t kind) const
    {
        return int(2 + sort * kinds_ + kind);
    }
    void add_row(std::vector<REAL>& values, std::vector<int>& columns, int relation, double right)
    {
        add_constraintex(lp_.get(), int(columns.size()), values.data(), columns.data(), relation,
                         right);
    }
    void add_kinds()
    {
        for (std::size_t kind = 0; kind < kinds_; ++kind) {
            std::vector<REAL> values{-double(p_.workers[kind])};
            std::vector<int> columns{1};
            for (std::size_t sort = 0; sort < p_.tasks.size(); ++sort) {
                if (std::isinf(p_.seconds[sort][kind])) continue;
                values.push_back(p_.tasks[sort] * p_.seconds[sort][kind] / unit_);
                columns.push_back(column_of(sort, kind));
            }
            add_row(values, columns, LE, 0);
        }
    }
    void add_sorts()
    {
        for (std::size_t sort = 0; sort < p_.tasks.size(); ++sort) {
            std::vector<REAL> values;
            std::vector<int> columns;
            for (std::size_t kind = 0; kind < kinds_; ++kind) {
                if (std::isinf(p_.seconds[sort][kind])) continue;
                values.push_back(1);
                columns.push_back(column_of(sort, kind));
            }
            if (!columns.empty()) add_row(values, columns, EQ, p_.tasks[sort] > 0);
        }
    }

    const AreaProblem& p_;
    std::size_t kinds_;
    double unit_ = 0;
    std::unique_ptr<lprec, void (*)(lprec*)> lp_;
};

#endif

} // namespace

#ifdef QCD_WITH_LPSOLVE
bool has_linear_programs() { return true; }
#else
bool has_linear_programs() { return false; }
#endif

AreaBound area_bound(const AreaProblem& p)
{
    if (some_cannot_run(p)) return {infinite, {}};
    if (p.workers.size() == 1) return of_one_kind(p);
#ifdef QCD_WITH_LPSOLVE
    return Program(p).solve();
#else
    return {unknown, {}};
#endif
}

} // namespace qcd

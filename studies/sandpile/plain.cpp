#include "studies/sandpile/plain.hpp"

#include <omp.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace qcd::studies
{

namespace
{

/// Cells with a frame of one around them, which takes what leaves the pile. Not touched when made.
class Framed
{
public:
    Framed(int nx, int ny)
        : nx_(nx), ny_(ny), cells_(new int[std::size_t(nx + 2) * std::size_t(ny + 2)])
    {
    }
    int stride() const { return nx_ + 2; }
    /// y from -1 to ny
    int* row(int y) { return cells_.get() + std::size_t(y + 1) * std::size_t(stride()) + 1; }
    void set_row(int y, const Pile* from)
    {
        std::fill(row(y) - 1, row(y) + nx_ + 1, 0);
        if (from && y >= 0 && y < ny_)
            std::copy_n(from->grains.begin() + long(y) * nx_, nx_, row(y));
    }
    void read(Pile& to)
    {
        for (int y = 0; y < ny_; ++y) std::copy_n(row(y), nx_, to.grains.begin() + long(y) * nx_);
    }

private:
    int nx_, ny_;
    std::unique_ptr<int[]> cells_;
};

void give(int* cell, int stride, int quarter)
{
    cell[1] += quarter;
    cell[-1] += quarter;
    cell[stride] += quarter;
    cell[-stride] += quarter;
}

/// Sweeps a row in place. Did a cell give?
bool give_row(int* row, int nx, int stride)
{
    bool some = false;
    for (int x = 0; x < nx; ++x)
        if (row[x] > 3) {
            const int quarter = row[x] >> 2;
            row[x] &= 3;
            give(row + x, stride, quarter);
            some = true;
        }
    return some;
}

bool scatter_row(const int* row, int* to, int nx, int stride)
{
    bool some = false;
    for (int x = 0; x < nx; ++x) {
        to[x] += row[x] & 3;
        if (row[x] <= 3) continue;
        give(to + x, stride, row[x] >> 2);
        some = true;
    }
    return some;
}

bool absorb_row(const int* row, int* to, int nx, int stride)
{
    int some = 0;
#pragma omp simd reduction(| : some)
    for (int x = 0; x < nx; ++x) {
        some |= row[x] >> 2;
        to[x] = (row[x] & 3) + (row[x + 1] >> 2) + (row[x - 1] >> 2) + (row[x + stride] >> 2) +
                (row[x - stride] >> 2);
    }
    return some != 0;
}

/// f(y) for rows first, first + step, ... below end; did any say so?
template <class F>
bool for_rows(int first, int end, int step, int threads, const F& f)
{
    bool some = false;
#pragma omp parallel for num_threads(threads) schedule(runtime) reduction(|| : some)
    for (int y = first; y < end; y += step) some = f(y) || some;
    return some;
}

/// The frame stays what it is: nothing comes out of it.
void clear_frame(Framed& u, int nx, int ny)
{
    for (int x = -1; x <= nx; ++x) u.row(-1)[x] = u.row(ny)[x] = 0;
    for (int y = 0; y < ny; ++y) u.row(y)[-1] = u.row(y)[nx] = 0;
}

class Settling
{
public:
    Settling(const Pile& pile, PileVersion version, const SettleControl& control)
        : nx_(pile.nx), ny_(pile.ny), version_(version), control_(control), u_(nx_, ny_),
          next_(nx_, ny_)
    {
        omp_set_schedule(control.schedule.dynamic ? omp_sched_dynamic : omp_sched_static,
                         control.schedule.chunk);
        const int touching = control.first_touch ? control.threads : 1;
        for_rows(-1, ny_ + 1, 1, touching, [&](int y) {
            u_.set_row(y, &pile);
            next_.set_row(y, nullptr);
            return false;
        });
    }
    /// Did a cell give?
    bool sweep()
    {
        const int stride = u_.stride();
        const auto in_place = [&](int y) { return give_row(u_.row(y), nx_, stride); };
        const auto absorbs = [&](int y) {
            return absorb_row(u_.row(y), next_.row(y), nx_, stride);
        };
        bool some = false;
        switch (version_) {
        case PileVersion::naive:
            for (int y = 0; y < ny_; ++y) some = in_place(y) || some;
            break;
        case PileVersion::openmp:
            for (int first = 0; first < 3; ++first)
                some = for_rows(first, ny_, 3, control_.threads, in_place) || some;
            break;
        case PileVersion::synchronous:
            for (int y = -1; y <= ny_; ++y) next_.set_row(y, nullptr);
            for (int y = 0; y < ny_; ++y)
                some = scatter_row(u_.row(y), next_.row(y), nx_, stride) || some;
            std::swap(u_, next_);
            break;
        case PileVersion::absorb:
            for (int y = 0; y < ny_; ++y) some = absorbs(y) || some;
            std::swap(u_, next_);
            break;
        case PileVersion::openmp_absorb:
            some = for_rows(0, ny_, 1, control_.threads, absorbs);
            std::swap(u_, next_);
            break;
        default: // has no sweeps
            break;
        }
        if (version_ != PileVersion::absorb && version_ != PileVersion::openmp_absorb)
            clear_frame(u_, nx_, ny_);
        return some;
    }
    void read(Pile& pile) { u_.read(pile); }

private:
    int nx_, ny_;
    PileVersion version_;
    const SettleControl& control_;
    Framed u_, next_;
};

void settle_by_stack(Pile& pile)
{
    std::vector<int> waiting;
    for (int i = 0; i < pile.nx * pile.ny; ++i)
        if (pile.grains[std::size_t(i)] > 3) waiting.push_back(i);
    while (!waiting.empty()) {
        const int at = waiting.back(), x = at % pile.nx, y = at / pile.nx;
        waiting.pop_back();
        int& own = pile.grains[std::size_t(at)];
        const int quarter = own >> 2;
        own &= 3;
        const auto get = [&](bool there, int neighbour) {
            if (!there) return;
            int& grains = pile.grains[std::size_t(neighbour)];
            const bool waits = grains > 3;
            grains += quarter;
            if (!waits && grains > 3) waiting.push_back(neighbour);
        };
        get(x + 1 < pile.nx, at + 1);
        get(x > 0, at - 1);
        get(y + 1 < pile.ny, at + pile.nx);
        get(y > 0, at - pile.nx);
    }
}

} // namespace

long settle(Pile& pile, PileVersion version, const SettleControl& control)
{
    if (version == PileVersion::stack) {
        settle_by_stack(pile);
        return 0;
    }
    Settling settling(pile, version, control);
    long sweeps = 0;
    bool some = true;
    while (some && control.goes_on(sweeps)) {
        some = settling.sweep();
        ++sweeps;
    }
    settling.read(pile);
    return some ? -1 : sweeps;
}

long unstable_cells(const Pile& pile)
{
    return std::count_if(pile.grains.begin(), pile.grains.end(), [](int n) { return n > 3; });
}

} // namespace qcd::studies

#pragma once
// A field of cells on a grid cut into parts, a piece of data for each part: in its memory x lies
// together, then y, ...

#include "runtime/grid.hpp"
#include "runtime/owned_data.hpp"

#include <xxhash.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace qcd::studies
{

/// xxh64 of memory, 16 hexadecimal digits.
inline std::string digest_of(const void* memory, std::size_t bytes)
{
    return fmt::format("{:016x}", XXH64(memory, bytes, 0));
}

template <class T>
std::string digest_of(const std::vector<T>& all)
{
    return digest_of(all.data(), all.size() * sizeof(T));
}

/// The largest distance of two fields.
inline double largest_distance(const std::vector<double>& a, const std::vector<double>& b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

/// HostData or StarpuData for each part of a grid.
template <class D>
class DataOfParts
{
public:
    /// elements(part) of so many bytes.
    template <int dimensions, class Elements>
    DataOfParts(Graph& graph, const Grid<dimensions>& grid, std::size_t bytes,
                const Elements& elements)
    {
        for (int p = 0; p < grid.part_count(); ++p)
            parts_.push_back(std::make_unique<D>(graph, std::size_t(elements(p)), bytes,
                                                 graph.owner(p, grid.part_count()), p));
    }
    Data data(int part) const { return of(part).data(); }
    D& of(int part) const { return *parts_[std::size_t(part)]; }

private:
    std::vector<std::unique_ptr<D>> parts_;
};

/// What lies at the beginning of data. Waits.
template <class T>
T read_first(HostData& data)
{
    data.graph().acquire(data.data(), STARPU_R);
    const T first = *static_cast<const T*>(data.host());
    data.graph().release(data.data());
    return first;
}

template <int D, class T>
class Cells
{
public:
    using Coord = typename Grid<D>::Coord;

    /// Zeros.
    Cells(Graph& graph, const Grid<D>& grid)
        : graph_(graph), grid_(grid),
          parts_(graph, grid, sizeof(T), [&](int p) { return grid.cells(p); })
    {
    }
    const Grid<D>& grid() const { return grid_; }
    Data data(int part) const { return parts_.data(part); }

    /// Cell c is all[c[0] + E0 (c[1] + E1 (...))]. Waits.
    void set(const std::vector<T>& all)
    {
        visit(all, STARPU_W, [](T cell, T& in_part) { in_part = cell; });
    }
    std::vector<T> get()
    {
        std::size_t count = 1;
        for (const int extent : grid_.extents()) count *= std::size_t(extent);
        std::vector<T> all(count);
        visit(all, STARPU_R, [](T& cell, T in_part) { cell = in_part; });
        return all;
    }
    /// Exchanges contents with a field on the same grid.
    void swap(Cells& other) { std::swap(parts_, other.parts_); }

private:
    template <class All, class F>
    void visit(All& all, starpu_data_access_mode mode, const F& f)
    {
        for (int p = 0; p < grid_.part_count(); ++p) {
            const Coord from = grid_.origin(p), extents = grid_.extents(p);
            graph_.acquire(data(p), mode);
            T* memory = static_cast<T*>(parts_.of(p).host());
            Coord c{};
            for (long i = 0; i < grid_.cells(p); ++i) {
                std::size_t at = 0;
                for (int mu = D - 1; mu >= 0; --mu)
                    at = at * std::size_t(grid_.extents()[mu]) + std::size_t(from[mu] + c[mu]);
                f(all[at], memory[i]);
                for (int mu = 0; mu < D && ++c[mu] == extents[mu]; ++mu) c[mu] = 0;
            }
            graph_.release(data(p));
        }
    }

    Graph& graph_;
    Grid<D> grid_;
    DataOfParts<HostData> parts_;
};

} // namespace qcd::studies

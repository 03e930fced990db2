#include "runtime/grid.hpp"

#include "base/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace qcd
{

std::vector<int> even_split(int extent, int count, int granularity)
{
    const int units = extent / granularity;
    std::vector<int> out(count);
    for (int i = 0; i < count; ++i) out[i] = granularity * (units / count + (i < units % count));
    return out;
}

namespace
{

template <std::size_t D>
std::string joined(const std::array<int, D>& numbers)
{
    return fmt::format("{}", fmt::join(numbers, "x"));
}

/// Directions are named as users know them.
char letter(int mu) { return "xyzt"[mu]; }

template <std::size_t D>
std::array<std::vector<int>, D> split_all(const std::array<int, D>& extents,
                                          const std::array<int, D>& parts, int granularity)
{
    std::array<std::vector<int>, D> out;
    for (int mu = 0; mu < int(D); ++mu) {
        const int most = granularity < 1 ? 0 : extents[mu] / granularity;
        if (parts[mu] < 1 || parts[mu] > most)
            throw Error("grid: {} parts in direction {} of {}: must be from 1 to {} (a part "
                        "is at least {} thick)",
                        parts[mu], letter(mu), joined(extents), most, granularity);
        out[mu] = even_split(extents[mu], parts[mu], granularity);
    }
    return out;
}

} // namespace

template <int D>
Grid<D>::Grid(const Coord& extents, const Coord& parts, int granularity, const Open& open)
    : Grid(extents, split_all(extents, parts, granularity), granularity, open)
{
}

template <int D>
Grid<D>::Grid(const Coord& extents, Thickness thickness, int granularity, const Open& open)
    : extents_(extents), thickness_(std::move(thickness)), open_(open)
{
    for (int mu = 0; mu < D; ++mu) {
        const std::vector<int>& l = thickness_[mu];
        if (l.empty() || granularity < 1 ||
            std::any_of(l.begin(), l.end(), [&](int n) { return n < 1 || n % granularity; }) ||
            std::accumulate(l.begin(), l.end(), 0L) != extents[mu])
            throw Error("grid: thicknesses in direction {} must be positive multiples "
                        "of {} and add up to {}",
                        letter(mu), granularity, extents[mu]);
        if (int(l.size()) > std::numeric_limits<int>::max() / part_count_)
            throw Error("grid: {} is cut into more parts than an int can number", joined(extents));
        parts_[mu] = int(l.size());
        part_count_ *= parts_[mu];
        for (int i = 0; i < parts_[mu]; ++i) place_at_[mu].insert(place_at_[mu].end(), l[i], i);
    }
}

template <int D>
typename Grid<D>::Coord Grid<D>::place_of(int part) const
{
    Coord place;
    for (int mu = 0; mu < D; ++mu) {
        place[mu] = part % parts_[mu];
        part /= parts_[mu];
    }
    return place;
}

template <int D>
typename Grid<D>::Coord Grid<D>::origin(int part) const
{
    Coord place = place_of(part);
    for (int mu = 0; mu < D; ++mu) {
        const auto first = thickness_[mu].begin();
        place[mu] = std::accumulate(first, first + place[mu], 0);
    }
    return place;
}

template <int D>
typename Grid<D>::Coord Grid<D>::extents(int part) const
{
    Coord place = place_of(part);
    for (int mu = 0; mu < D; ++mu) place[mu] = thickness_[mu][place[mu]];
    return place;
}

template <int D>
long Grid<D>::cells(int part) const
{
    long n = 1;
    for (const int l : extents(part)) n *= l;
    return n;
}

template <int D>
int Grid<D>::neighbour(int part, int mu, int sign) const
{
    Coord place = place_of(part);
    place[mu] += sign > 0 ? 1 : -1;
    if (open_[mu] && (place[mu] < 0 || place[mu] == parts_[mu])) return -1;
    place[mu] = (place[mu] + parts_[mu]) % parts_[mu];
    return part_at(place);
}

template <int D>
long Grid<D>::face_cells(int part, int face, int layers) const
{
    const int mu = face / 2, thickness = extents(part)[mu];
    if (layers < 0 || layers > thickness)
        throw Error("grid: a face of {} layers in direction {} of a part that has {}", layers,
                    letter(mu), thickness);
    return cells(part) / thickness * layers;
}

template class Grid<1>;
template class Grid<2>;
template class Grid<3>;
template class Grid<4>;

} // namespace qcd

#include "tasks/spinor_copy.hpp"

#include "base/error.hpp"
#include "runtime/ranks.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>

namespace qcd
{

namespace
{

constexpr int reals_of_site = 24;

/// Extents are even, so that of both parities there are as many sites in each row.
std::size_t number_of(const SpinorCopy& copy, const Coord& x)
{
    std::size_t of_all = 0;
    for (int mu = 3; mu >= 0; --mu)
        of_all = of_all * copy.box.extents[mu] + std::size_t(x[mu] - copy.box.lower[mu]);
    return copy.sites == Sites::all ? of_all : of_all / 2;
}

std::size_t bytes_of(const SpinorCopy& copy, const Box& box)
{
    return parities(copy.sites).size() * std::size_t(volume(box)) / 2 * reals_of_site *
           real_bytes(copy.precision);
}

template <class Real>
void store(SpinorCopy& copy, const Coord& x, const double* spinor)
{
    Real r[reals_of_site];
    std::copy_n(spinor, reals_of_site, r);
    std::memcpy(copy.reals.data() + number_of(copy, x) * sizeof r, r, sizeof r);
}

class CopySource : public SpinorSource
{
public:
    explicit CopySource(const SpinorCopy& copy) : copy_(copy) {}
    void site(const Coord& x, double out[24]) const override
    {
        copy_.precision == Precision::f64 ? read<double>(x, out) : read<float>(x, out);
    }
    std::string description() const override { return "a copy"; }

private:
    template <class Real>
    void read(const Coord& x, double* out) const
    {
        Real r[reals_of_site];
        std::memcpy(r, copy_.reals.data() + number_of(copy_, x) * sizeof r, sizeof r);
        std::copy_n(r, reals_of_site, out);
    }
    const SpinorCopy& copy_;
};

} // namespace

SpinorCopy copy_of(const SpinorField& field, int rhs)
{
    SpinorCopy copy{
        field.tiling().lattice(), field.graph().owned_box(), field.precision(), field.sites(), {}};
    Ranks& ranks = field.graph().ranks();
    bool has_room = true;
    try {
        copy.reals.resize(bytes_of(copy, copy.box));
    } catch (const std::bad_alloc&) {
        has_room = false;
    }
    if (ranks.any(!has_room)) throw std::bad_alloc(); // before they wait for each other
    const auto keep = [&](const Coord& x, const double* spinor) {
        copy.precision == Precision::f64 ? store<double>(copy, x, spinor)
                                         : store<float>(copy, x, spinor);
    };
    field.visit_by_threads(keep, rhs);
    return copy;
}

void put(const SpinorCopy& copy, SpinorField& field, int rhs)
{
    const Box& box = field.graph().owned_box();
    if (copy.lattice != field.tiling().lattice() || copy.box.lower != box.lower ||
        copy.box.extents != box.extents || copy.precision != field.precision() ||
        copy.sites != field.sites())
        throw Error("a copied spinor field is of another lattice, precision or other sites");
    field.fill(CopySource(copy), rhs);
}

std::size_t largest_piece(const LatticeGraph& graph, const SpinorCopy& mine)
{
    std::size_t largest = 0;
    for (const auto& [rank, box] : graph.runs())
        if (rank != graph.ranks().rank()) largest = std::max(largest, bytes_of(mine, box));
    return largest;
}

void visit_on_first_rank(const LatticeGraph& graph, const SpinorCopy& mine,
                         std::span<std::byte> room,
                         const std::function<void(std::span<const std::byte>)>& put)
{
    Ranks& ranks = graph.ranks();
    std::exception_ptr failure;
    for (const auto& [rank, box] : graph.runs()) {
        if (rank != ranks.rank() && !ranks.speaks()) continue;
        std::span<const std::byte> bytes;
        if (rank == ranks.rank()) { // sites of a run follow each other in its copy
            const std::size_t first = number_of(mine, box.lower) * reals_of_site;
            bytes = std::as_bytes(std::span(mine.reals))
                        .subspan(first * real_bytes(mine.precision), bytes_of(mine, box));
        } else {
            const std::span<std::byte> received = room.first(bytes_of(mine, box));
            ranks.receive_bytes(received, rank);
            bytes = received;
        }
        if (!ranks.speaks()) {
            ranks.send_bytes(bytes, 0);
            continue;
        }
        try {
            if (!failure) put(bytes);
        } catch (...) {
            failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

} // namespace qcd

#include "tasks/quenched_gauge.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "codelets/gauge/link_heatbath/link_heatbath.hpp"
#include "codelets/gauge/link_overrelax/link_overrelax.hpp"
#include "codelets/gauge/link_reunitarize/link_reunitarize.hpp"
#include "lattice/link.hpp"
#include "tasks/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>

namespace qcd
{

namespace
{

using links::reals_per_link;
constexpr long most_sites = 1L << 20; ///< 32^4: beyond, tasks are worth their while
constexpr int most_of_these_sweeps = 100000;

/// One tile's memory, aligned for SIMD registers.
class AlignedReals
{
public:
    explicit AlignedReals(std::size_t reals)
    {
        constexpr std::size_t alignment = 4096;
        const std::size_t bytes = (reals * sizeof(double) + alignment - 1) / alignment * alignment;
        memory_ = static_cast<double*>(std::aligned_alloc(alignment, bytes));
        if (!memory_) throw std::bad_alloc();
        std::fill(memory_, memory_ + reals, 0.0);
    }
    ~AlignedReals() { std::free(memory_); }
    AlignedReals(const AlignedReals&) = delete;
    AlignedReals& operator=(const AlignedReals&) = delete;
    double* data() const { return memory_; }

private:
    double* memory_;
};

class QuenchedGauge : public GaugeSource
{
public:
    QuenchedGauge(const Extents& lattice, const UpdateRule& rule, int sweeps)
        : GaugeSource(lattice, fmt::format("quenched:{},{},{}", rule.beta, rule.seed, sweeps)),
          tiling_(lattice, {1, 1, 1, 1}, Suits::cores)
    {
        const std::size_t reals = std::size_t(tiling_.padded_sites(0)) * reals_per_link;
        for (auto& of_mu : links_)
            for (auto& of_parity : of_mu) of_parity = std::make_unique<AlignedReals>(reals);
        const links::Link one = links::unit();
        for_each_site(lattice, [&](const Coord& x) {
            for (int mu = 0; mu < 4; ++mu) copy<true>(x, mu, const_cast<double*>(&one.e[0][0].re));
        });
        for (int n = 1; n <= sweeps; ++n) sweep(rule, std::uint32_t(n));
    }

private:
    void read(const Box& box, std::span<double> links) override
    {
        double* out = links.data();
        for_each_site(box, [&](const Coord& x) {
            for (int mu = 0; mu < 4; ++mu, out += reals_per_link) copy<false>(x, mu, out);
        });
    }

    template <bool into_tile>
    void copy(const Coord& x, int mu, double* link)
    {
        using Places = Rows<double>;
        const SitePlace p = tiling_.place(x);
        double* stored =
            links_[mu][p.parity]->data() + Places::offset(p.block, p.lane, reals_per_link);
        for (std::size_t i = 0; i < reals_per_link; ++i)
            if constexpr (into_tile)
                stored[i * Places::piece] = link[i];
            else
                link[i] = stored[i * Places::piece];
    }

    template <class Args>
    static void run(const Codelet& codelet, const Args& args, void* const* slots)
    {
        constexpr int shares = 64;
#pragma omp parallel for schedule(dynamic)
        for (int i = 0; i < shares; ++i)
            codelet.cpu(&args, slots, CpuShare{.index = i, .count = shares});
    }

    void update(const Codelet& codelet, const UpdateRule& rule, std::uint32_t n)
    {
        for_each_colour([&](int mu, int parity) {
            link_update_args a = link_args_of(tiling_, 0, mu, parity);
            set_heatbath(a, rule, n);
            std::array<void*, link_update_slots> slots{};
            std::size_t slot = 0;
            slots[slot++] = links_[mu][parity]->data();
            for (const LinkPiece& r : links_read(tiling_, 0, mu, parity))
                slots[slot++] = r.tile < 0 ? nullptr : links_[r.mu][r.parity]->data();
            run(codelet, a, slots.data());
        });
    }

    void sweep(const UpdateRule& rule, std::uint32_t n)
    {
        update(link_heatbath_codelet(), rule, n);
        for (int i = 0; i < rule.overrelaxations; ++i) update(link_overrelax_codelet(), rule, n);
        if (n % std::uint32_t(rule.reunitarize) != 0) return;
        for_each_colour([&](int mu, int parity) {
            void* slots[] = {links_[mu][parity]->data()};
            run(link_reunitarize_codelet(), link_reunitarize_args{tiling_.shape(0).blocks}, slots);
        });
    }

    Tiling tiling_;
    std::array<std::array<std::unique_ptr<AlignedReals>, 2>, 4> links_; // by mu, parity
};

} // namespace

std::unique_ptr<GaugeSource> quenched_gauge(const Extents& lattice, const UpdateRule& rule,
                                            int sweeps)
{
    return std::make_unique<QuenchedGauge>(lattice, rule, sweeps);
}

std::unique_ptr<GaugeSource> open_any_gauge(std::string_view spec,
                                            const std::optional<Extents>& lattice,
                                            const GaugeReading& reading)
{
    const std::size_t colon = spec.find(':');
    if (spec.substr(0, colon) != "quenched") return open_gauge(spec, lattice, reading);
    const auto words = split(colon == spec.npos ? "" : spec.substr(colon + 1), ',');
    const auto beta = parse_number<double>(words[0]);
    const auto seed = words.size() == 3 ? parse_number<std::uint64_t>(words[1]) : std::nullopt;
    const auto sweeps = words.size() == 3 ? parse_number<int>(words[2]) : std::nullopt;
    if (!beta || !seed || !sweeps || !(*beta >= 0 && *beta <= most_beta) || *sweeps < 0 ||
        *sweeps > most_of_these_sweeps)
        throw Error(
            fmt::format("gauge: {} is not of the form quenched:BETA,SEED,SWEEPS, such as "
                        "quenched:6,1,200, with BETA from 0 to {:g} and SWEEPS from 0 to {}",
                        quoted(spec), most_beta, most_of_these_sweeps));
    if (reading.reunitarize)
        throw Error(fmt::format("gauge: {} is generated, and in SU(3): nothing to reunitarize",
                                quoted(spec)));
    if (!lattice) throw Error(fmt::format("gauge: {} needs the lattice's extents", quoted(spec)));
    require_lattice(*lattice, "lattice");
    if (volume(*lattice) > most_sites)
        throw Error(fmt::format("gauge: {} on {}: only up to {} sites; qcd_starpu generate makes "
                                "larger fields",
                                quoted(spec), to_string(*lattice), most_sites));
    return quenched_gauge(*lattice, {.beta = *beta, .seed = *seed}, *sweeps);
}

} // namespace qcd

#pragma once
// Sweeps of updates over the links of a lattice: a task for each tile, direction and parity.

#include "codelets/gauge/link_args.h"
#include "runtime/owned_data.hpp"
#include "tasks/link_field.hpp"

#include <cstdint>
#include <map>
#include <memory>

namespace qcd
{

inline constexpr double most_beta = 1000; ///< beyond, no random number moves a link by much

inline constexpr int most_sweeps = 100000000;

/// How an ensemble goes from one field to the next.
struct UpdateRule {
    double beta = 6;
    int overrelaxations = 4; ///< after each heat bath
    int reunitarize = 10;    ///< after so many sweeps
    std::uint64_t seed = 1;
    bool operator==(const UpdateRule&) const = default;
};

/// Arguments of an update of these links of a tile: everything but Philox's numbers and the weight.
link_update_args link_args_of(const Tiling&, int tile, int mu, int parity);
/// Adds Philox's numbers and the weight of a sweep to arguments.
void set_heatbath(link_update_args&, const UpdateRule&, std::uint32_t sweep);
class LinkUpdates
{
public:
    LinkUpdates(LinkField&, const UpdateRule&);

    /// Sweep number n, from 1 on: heat bath, overrelaxations, and reunitarisation if it is due.
    /// Returns at once.
    void sweep(std::uint32_t n);
    void heatbath(std::uint32_t n);
    void overrelax();
    void reunitarize();

    /// What has happened in all sweeps on all ranks, each of which calls this. Waits.
    link_counts counts();

private:
    template <class Submit>
    void for_each_update(const Submit&);

    LinkField& links_;
    UpdateRule rule_;
    std::map<int, std::unique_ptr<HostData>> counts_; // by owned tile
};

} // namespace qcd

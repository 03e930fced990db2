#pragma once
// The Wilson-Dirac matrix as a version of the ladder computes it.

#include "codelets/device/args.h"
#include "codelets/ladder/versions.hpp"
#include "runtime/kernel_facts.hpp"
#include "tasks/ladder_fields.hpp"

#include <optional>

namespace qcd
{

/// A version, and how many sites its work groups take where they are full.
struct LadderStencil {
    const LadderVersion& version;
    int multiple;
};

class LadderDirac
{
public:
    /// Reads the links. Throws Error, one line, where a work group is more than a device of this
    /// run allows.
    LadderDirac(const LadderLattice&, Precision, const LadderStencil&, GaugeSource&,
                bool antiperiodic);

    /// Submits out = a o psi + b o (H psi) (docs/conventions.md), a and b by spin; out is not psi.
    /// Time slices of psi at the slabs' ends first, as data of their own; then a task for each
    /// tile, or, where a version has separate ones, for each of its 16 xgemms.
    void operator()(const LadderField& psi, const LadderField& out, const chiral& a,
                    const chiral& b) const;

    /// Flop as the operations count them; usual_flops(): as the field counts, 1320 a site of H psi.
    double flops() const;
    double usual_flops() const { return 1320. * double(volume(lattice_.extents())); }

    /// What the device of a worker tells of the kernel that takes most of the time: the stencil, or
    /// where xgemms are separate xgemm33x34.
    std::optional<KernelFacts> kernel_facts(int worker) const;

    /// Bytes of all that it registers, the fields it is applied to excluded.
    static std::size_t bytes(const Extents&, int tiles, Precision, const LadderVersion&);

private:
    struct Tile {
        std::unique_ptr<StarpuData> first, last; // time slices; null where t is not cut
        std::unique_ptr<HostData> neighbours;    // null where they are computed
        std::unique_ptr<StarpuData> t[2];        // of separate xgemms, in turn
    };
    /// f(codelet, args) of that kernel, on the first tile
    template <class F>
    auto with_kernel(const F& f) const;
    void send_slices(const LadderField& psi) const;
    void fused(const LadderField& psi, const LadderField& out, const chiral& a, const chiral& b,
               int tile) const;
    void separate(const LadderField& psi, const LadderField& out, const chiral& a, const chiral& b,
                  int tile) const;
    Data below(int tile) const;
    Data above(int tile) const;

    const LadderLattice& lattice_;
    Precision precision_;
    const LadderVersion& version_;
    int multiple_;
    LadderLinks links_;
    std::unique_ptr<HostData> spin_; // null where matrices are written out
    std::vector<Tile> tiles_;
};

} // namespace qcd

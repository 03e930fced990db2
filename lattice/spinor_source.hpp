#pragma once
// Right-hand sides: a spinor field as a function of the site alone.

#include "lattice/boundary_phases.hpp"
#include "lattice/extents.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace qcd
{

class SpinorSource
{
public:
    virtual ~SpinorSource() = default;

    /// The spinor at x: out[(spin*3 + colour)*2 + {0: re, 1: im}]. x must lie in the lattice.
    virtual void site(const Coord& x, double out[24]) const = 0;

    /// The spinors of so many sites from x on in direction x, one after the other; a file reads
    /// them together.
    virtual void line(const Coord& x, int sites, double* out) const
    {
        for (int i = 0; i < sites; ++i) site({x[0] + i, x[1], x[2], x[3]}, out + 24 * i);
    }

    /// One line: the specification with its defaults.
    virtual std::string description() const = 0;

    /// Where the phases of the boundaries are in the file that it is from; none: there is no file,
    /// or no angle that is known and not 0. site() has them at the boundary.
    virtual std::optional<BoundaryPhases> phases() const { return std::nullopt; }
};

/// 0 everywhere: of a right-hand side that takes no iteration.
class ZeroSource final : public SpinorSource
{
public:
    void site(const Coord&, double out[24]) const override { std::fill_n(out, 24, 0.0); }
    std::string description() const override { return "0"; }
};

/// Does a specification name a generated source (det, random, point, wall or timeslice, with
/// parameters behind a colon)? All else is a file of spinors.
bool is_generated_source(std::string_view spec);

/// Opens one of these, with k = (s*4 + spin)*3 + colour:
///   det:SEED                       u(2k, SEED) + i u(2k+1, SEED), u the uniform of random.hpp
///
///   random[:SEED]                  independent N(0,1) real and imaginary parts; the default is 1
///
///   point:x,y,z,t,spin,colour      1 there, 0 elsewhere
///
///   wall:t,spin,colour             1 in that component of all sites of time slice t, 0 elsewhere
///
///   timeslice:t[,SEED]             random:SEED on time slice t, 0 elsewhere
///
/// Throws Error on another form and on what lies outside the lattice.
std::unique_ptr<SpinorSource> open_spinor_source(std::string_view spec, const Extents& lattice);

} // namespace qcd

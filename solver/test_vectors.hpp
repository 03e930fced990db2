#pragma once
// The vectors that multigrid's levels are made of, kept from one run to another.

#include "lattice/spinor_source.hpp"
#include "tasks/field.hpp"

#include <memory>
#include <vector>

namespace qcd
{

class TestVectors
{
public:
    virtual ~TestVectors() = default;

    /// All of them, to begin with, once the links have been read; none: they are made of random
    /// numbers. Throws Error where they are not of these links.
    virtual std::vector<std::unique_ptr<SpinorSource>> kept() = 0;

    /// The next one of those that the levels have been made of, a right-hand side of a field on all
    /// sites; all of them are kept, one after the other.
    virtual void keep(const SpinorField&, int rhs) = 0;
};

} // namespace qcd

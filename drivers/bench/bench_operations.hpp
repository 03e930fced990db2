#pragma once
// The list of operations that `bench` walks: their names, and how to submit one over the lattice.

#include "tasks/updates.hpp"
#include "tasks/wilson.hpp"

#include <deque>
#include <string>
#include <vector>

namespace qcd
{

/// The data of all operations on one lattice in one precision. As in an even-odd solve, they work
/// on the even sites. Links are in SU(3), but otherwise arbitrary: no operation's time depends on
/// them.
struct BenchFields {
    static constexpr int spinors = 5;
    BenchFields(LatticeGraph&, Precision, LinkStorage);
    /// Bytes that the constructor allocates.
    static std::size_t bytes(const Tiling&, Precision, LinkStorage, int rhs = 1);

    Precision precision() const { return wilson.arithmetic(); }
    /// x of a method, which is even spinor 0 except where fields are in 16 bits.
    const SpinorField& x() const { return plain_x ? *plain_x : even[0]; }
    /// Sets even spinor number i to its initial value.
    void reset(int i);
    /// Sets alpha, beta and omega to general numbers, or to 0 so that repeated updates leave the
    /// vectors bounded.
    void set_scalars(bool general);

    LatticeGraph& graph;
    GaugeField links;
    std::unique_ptr<CloverField> clover;
    Wilson wilson;
    std::unique_ptr<Halo> faces;  ///< null where no direction is cut
    SpinorField odd, odd_result;  ///< odd_result is overwritten by operations
    std::deque<SpinorField> even; ///< a deque, because fields do not move
    std::unique_ptr<SpinorField> plain_x;
    /// Where precision() is double, fields in single and in 16 bits for operations on two
    /// precisions.
    std::unique_ptr<SpinorField> in_single, in_half, before_in_half;
    LatticeSums sums;
    Scalars<cr_scalars> cr;
    Scalars<cg_scalars> cg, changing; ///< cg_beta writes `changing`
    Scalars<bicgstab_scalars> bicgstab;
    Scalars<gcr_scalars> gcr;
};

struct BenchOperation {
    using Submit = void (*)(const BenchFields&);

    enum Only : unsigned {
        of_both_precisions = 1, ///< it is on fields of both, and belongs to those in double
        not_in_half = 2,        ///< it has no kernels for fields in 16 bits
        of_one_rhs = 4          ///< it has none for several right-hand sides
    };

    const char* name;
    Submit submit;
    std::vector<int> writes; ///< even spinors that are overwritten
    unsigned only = 0;       ///< of Only, bit by bit
    /// Makes the result visible in even spinors, sums and scalars, where submit alone does not.
    Submit check = nullptr;
    double (*units)(const Tiling&) = nullptr; ///< how many the work is for; null: the even sites
    bool (*applies)(const Tiling&) = nullptr; ///< null: on every tiling
    /// The bytes of a unit, for all right-hand sides, that the contract counts beside those of the
    /// slots, which are looked at in part.
    double (*bytes_beside)(const BenchFields&) = nullptr;
    bool has(Precision p) const
    {
        return (!(only & of_both_precisions) || p == Precision::f64) &&
               (!(only & not_in_half) || !is_fixed_point(p));
    }
    double unit_count(const Tiling&) const;
};

/// Work of an operation on one unit, for each right-hand side.
struct UnitWork {
    double flops = 0, bytes = 0; ///< bytes of fields: sums, scalars and faces are not counted
    bool reads_links = false;
};

/// The work that the tables of the tasks declare which the operation submits. The tiling must be
/// cut and without padding, the workers cores, and the plan one that does not collect operations.
UnitWork work_of(const BenchOperation&, const BenchFields&);

const std::vector<BenchOperation>& bench_operations();

/// Everything that the operation may have changed, as text: digests of spinors, sums and scalars
/// in hexadecimal. Equal texts mean equal bits.
std::string result_of(const BenchOperation& operation, const BenchFields&);

} // namespace qcd

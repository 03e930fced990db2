#pragma once
// The list of operations that `bench` walks: name, cost as in the contracts, how to submit one over
// the lattice.

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
class BenchFields
{
public:
    static constexpr int spinors = 5;
    BenchFields(LatticeGraph&, Precision, LinkStorage);
    /// Bytes that the constructor allocates.
    static std::size_t bytes(const Tiling&, Precision, LinkStorage, int rhs = 1);

    /// Even spinor number i to its initial value.
    void reset(int i);
    /// Sets alpha, beta and omega to general numbers, or to 0 so that repeated updates leave the
    /// vectors bounded.
    void set_scalars(bool general);

    LatticeGraph& graph() const { return *graph_; }
    const Tiling& tiling() const { return graph_->tiling(); }
    Precision precision() const { return wilson_.arithmetic(); }
    const GaugeField& links() const { return links_; }
    const Wilson& wilson() const { return wilson_; }
    const SpinorField& odd() const { return odd_; }
    /// Of no use between operations.
    const SpinorField& odd_result() const { return odd_result_; }
    const SpinorField& even(int i) const { return even_[i]; }
    /// x of a method: even spinor 0 but for fields in 16 bits.
    const SpinorField& x() const { return plain_x_ ? *plain_x_ : even_[0]; }
    /// In single and in 16 bits, of the same sites, where precision() is double: for operations on
    /// both.
    const SpinorField& in_single() const { return *in_single_; }
    const SpinorField& in_half() const { return *in_half_; }
    const LatticeSums& sums() const { return sums_; }
    const Scalars<cr_scalars>& cr() const { return cr_; }
    const Scalars<cg_scalars>& cg() const { return cg_; }
    const Scalars<bicgstab_scalars>& bicgstab() const { return bicgstab_; }
    const Scalars<gcr_scalars>& gcr() const { return gcr_; }
    /// Those that an operation on scalars changes.
    const Scalars<cg_scalars>& changing() const { return changing_; }
    /// Only where a direction is cut.
    const Halo& faces() const { return *faces_; }

private:
    void fill(SpinorField&, int seed);
    void set_scalars(bool general, int rhs);

    LatticeGraph* graph_;
    GaugeField links_;
    std::unique_ptr<CloverField> clover_;
    Wilson wilson_;
    std::unique_ptr<Halo> faces_;
    SpinorField odd_, odd_result_;
    std::deque<SpinorField> even_; // fields do not move
    std::unique_ptr<SpinorField> in_single_, in_half_, plain_x_;
    LatticeSums sums_;
    Scalars<cr_scalars> cr_;
    Scalars<cg_scalars> cg_, changing_;
    Scalars<bicgstab_scalars> bicgstab_;
    Scalars<gcr_scalars> gcr_;
};

struct BenchOperation {
    using Submit = void (*)(const BenchFields&);

    const char* name;
    /// Per unit of `units`, which is a site where nothing else is said.
    struct Cost {
        double flop = 0;
        double reals = 0;  ///< read and written, those of links apart
        double links = 0;  ///< read
        double plain = 0;  ///< reals that are never in 16 bits: x and faces
        double clover = 0; ///< the same, read, of the clover term
    } cost;
    Submit submit;
    std::vector<int> writes; ///< even spinors that are overwritten
    /// What makes the result visible in even spinors, sums and scalars, where submit alone
    /// does not.
    Submit check = nullptr;
    double (*units)(const Tiling&) = nullptr; ///< null: the even sites
    bool (*applies)(const Tiling&) = nullptr; ///< null: on every tiling
    bool of_both = false;   ///< on fields of both precisions: with those in double alone
    bool in_half = true;    ///< has it kernels for fields in 16 bits?
    bool of_several = true; ///< right-hand sides?

    double unit_count(const Tiling&) const;
    /// Bytes of a unit for each of so many right-hand sides, with links stored so and read once.
    double bytes_with(Precision, LinkStorage, int rhs) const;
};

const std::vector<BenchOperation>& bench_operations();

/// Everything that `operation` may have changed, as text: digests of spinors, sums and scalars
/// in hexadecimal. Equal texts mean equal bits.
std::string result_of(const BenchOperation& operation, const BenchFields&);

} // namespace qcd

#pragma once
// The matrices that the Krylov methods see.

#include "solver/site_diagonal.hpp"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace qcd
{

/// Parameters of the Wilson-Dirac matrix
///   D = 1 - kappa H + i kappa csw sum_{mu<nu} sigma_munu F_munu + i mubar gamma5.
struct DiracParameters {
    double kappa = 0;
    double mubar = 0;
    double csw =
        0; ///< 0: the Wilson has no clover field; else kappa csw is that of its clover field
};

/// Its clover field, for the Wilson and to be given the links (GaugeField); null: csw = 0.
std::unique_ptr<CloverField> clover_of(LatticeGraph&, Precision, const DiracParameters&,
                                       CloverField::Inverse);

/// T is the diagonal (SiteDiagonal), which takes the clover term from the Wilson:
///   D = T - kappa H on all sites,   Dhat = T_ee - kappa^2 H_eo T_oo^-1 H_oe on the even ones.
/// (gamma5 D(mubar))^dagger = gamma5 D(-mubar), and the same for Dhat.
enum class Matrix { D, gamma5_D, Dhat, gamma5_Dhat };

constexpr bool of_even_sites(Matrix m) { return m == Matrix::Dhat || m == Matrix::gamma5_Dhat; }
constexpr bool has_gamma5(Matrix m) { return m == Matrix::gamma5_D || m == Matrix::gamma5_Dhat; }

/// A square matrix on the vectors of a lattice, or of a level of multigrid, as tasks.
class Operator
{
public:
    virtual ~Operator() = default;

    virtual LatticeGraph& graph() const = 0;
    virtual Precision precision() const = 0;
    virtual Sites sites() const = 0; ///< of x and y
    /// How many blocks a field has in each tile, on a level; null: as many as the sites take.
    virtual const std::vector<int>* blocks() const { return nullptr; }
    SpinorField vector(Contents contents = Contents::zeros) const ///< for x and y
    {
        return {graph(), precision(), sites(), blocks(), contents};
    }
    LatticeSums sums() const { return {graph(), sites()}; }

    /// y = A x. y must not be x. Nothing is done when the gate is closed.
    virtual void operator()(const SpinorField& x, const SpinorField& y, const Dots& dots = {},
                            const ScalarData* gate = nullptr) const = 0;
    /// y = A^dagger x, where there is one.
    virtual void adjoint(const SpinorField& x, const SpinorField& y, const Dots& dots = {},
                         const ScalarData* gate = nullptr) const = 0;
    /// out = b - A x. out must not be x or b.
    virtual void residual(const SpinorField& x, const SpinorField& b,
                          const SpinorField& out) const = 0;

    /// Is A - A^dagger a multiple of 1? The precondition of the Conjugate Residual method.
    virtual bool nearly_hermitian() const { return false; }
    virtual bool hermitian() const { return false; }
};

/// One of the matrices above. g below is gamma5 where the matrix has it, else 1.
class DiracOperator : public Operator
{
public:
    DiracOperator(const Wilson&, DiracParameters, Matrix);

    LatticeGraph& graph() const override { return wilson_->graph(); }
    Precision precision() const override { return wilson_->arithmetic(); }
    Sites sites() const override { return of_even_sites(matrix_) ? Sites::even : Sites::all; }

    void operator()(const SpinorField& x, const SpinorField& y, const Dots& dots = {},
                    const ScalarData* gate = nullptr) const override
    {
        apply(x, y, diagonal_, g(), dots, gate);
    }
    /// Needs gamma5.
    void adjoint(const SpinorField& x, const SpinorField& y, const Dots& dots = {},
                 const ScalarData* gate = nullptr) const override
    {
        apply(x, y, diagonal_.adjoint(), g(), dots, gate);
    }
    void residual(const SpinorField& x, const SpinorField& b,
                  const SpinorField& out) const override;

    bool nearly_hermitian() const override { return matrix_ == Matrix::gamma5_D || hermitian(); }
    bool hermitian() const override { return has_gamma5(matrix_) && parameters_.mubar == 0; }

    /// What it needs on odd sites, of no use between applications; null: nothing.
    const SpinorField* odd_sites() const { return odd_ ? &*odd_ : nullptr; }

    /// out = x + b - A x, in one hop; without gamma5 and a clover term. out must not be x or b.
    void relax(const SpinorField& x, const SpinorField& b, const SpinorField& out,
               const ScalarData* gate) const;

    /// Even-odd: out = g (b_e + kappa H_eo T_oo^-1 b_o), the right-hand side on the even sites;
    /// otherwise out = g b.
    void prepare(const SpinorField& b, const SpinorField& out) const;
    /// Even-odd: x_o = T_oo^-1 (b_o + kappa H_oe x_e), x_e = solution; otherwise x = solution.
    void reconstruct(const SpinorField& solution, const SpinorField& b, const SpinorField& x) const;

private:
    chiral g() const { return has_gamma5(matrix_) ? spin::gamma5() : spin::real(1); }
    /// y = A x with this T and g [+ dots.u]
    void apply(const SpinorField& x, const SpinorField& y, const SiteDiagonal&, const chiral& g,
               const Dots&, const ScalarData* gate, bool add_u = false) const;

    const Wilson* wilson_;
    DiracParameters parameters_;
    SiteDiagonal diagonal_;
    Matrix matrix_;
    std::optional<SpinorField> odd_; // H_oe x
};

/// b - D x on the even sites to out[0] and on the odd ones to out[1], and sums of its |.|^2
/// (accumulator 2), computed in wilson.arithmetic().
void residual(const Wilson&, DiracParameters, const SpinorField& x, const SpinorField& b,
              const std::array<const SpinorField*, 2>& out, const LatticeSums&);

} // namespace qcd

#pragma once
// The operators the solvers iterate on, from the hopping term and one loop for each diagonal term:
//   FullDirac: D = T - kappa H,   EvenDirac: Dhat = T_ee - kappa^2 H_eo T_oo^-1 H_oe,
//   T = 1 + i mubar gamma5. Both have A(mubar)^dagger = gamma5 A(-mubar) gamma5.

#include "baseline/hopping.hpp"

#include <optional>

namespace qcd::baseline
{

template <class Real>
class DiracOperator
{
public:
    DiracOperator(const Hopping<Real>& hopping, double kappa, double mubar);
    virtual ~DiracOperator() = default;

    void apply(const Field<Real>& in, Field<Real>& out);         ///< out <- A in; not in place
    void apply_gamma5(const Field<Real>& in, Field<Real>& out);  ///< out <- gamma5 A in
    void apply_adjoint(const Field<Real>& in, Field<Real>& out); ///< out <- A^dagger in

    long applications() const { return applications_; }

protected:
    virtual void multiply(double mubar, const Field<Real>& in, Field<Real>& out) = 0;

    const Hopping<Real>& hopping_;
    double kappa_, mubar_;

private:
    std::optional<Field<Real>> flipped_; ///< gamma5 in, once an adjoint was asked for
    long applications_ = 0;
};

template <class Real>
class FullDirac : public DiracOperator<Real>
{
public:
    using DiracOperator<Real>::DiracOperator;

private:
    void multiply(double mubar, const Field<Real>& in, Field<Real>& out) override;
};

template <class Real>
class EvenDirac : public DiracOperator<Real>
{
public:
    EvenDirac(const Hopping<Real>& hopping, double kappa, double mubar);

    /// out <- b_e + kappa H_eo T_oo^-1 b_o
    void even_source(const Field<Real>& b, Field<Real>& out);

    /// x <- (x_e, T_oo^-1 (b_o + kappa H_oe x_e))
    void complete(const Field<Real>& x_even, const Field<Real>& b, Field<Real>& x);

private:
    Field<Real> odd_;

    void multiply(double mubar, const Field<Real>& in, Field<Real>& out) override;
};

/// psi <- gamma5 psi
template <class Real>
void xgamma5(Field<Real>& psi);

} // namespace qcd::baseline

#pragma once

#include "solver/operator.hpp"
#include "tasks/level.hpp"

namespace qcd
{

/// The operator of a coarse level (CoarseMatrices), which lives longer.
class CoarseOperator : public Operator
{
public:
    CoarseOperator(LatticeGraph&, Precision, const CoarseMatrices&);

    LatticeGraph& graph() const override { return graph_; }
    Precision precision() const override { return precision_; }
    Sites sites() const override { return Sites::even; }
    const std::vector<int>* blocks() const override { return &matrices_.level().blocks(); }

    /// Among the sums it makes Dots::norm2 and Dots::u_out.
    void operator()(const SpinorField& x, const SpinorField& y, const Dots& dots = {},
                    const ScalarData* gate = nullptr) const override;
    /// Throws Error: methods that need it do not suit coarse levels.
    void adjoint(const SpinorField&, const SpinorField&, const Dots&,
                 const ScalarData*) const override;
    void residual(const SpinorField& x, const SpinorField& b,
                  const SpinorField& out) const override;

private:
    LatticeGraph& graph_;
    Precision precision_;
    const CoarseMatrices& matrices_;
};

} // namespace qcd

#pragma once

#include "drivers/run/run_report.hpp"
#include "lattice/spinor_digest.hpp"

namespace qcd
{

/// What x tells about itself where the host has it: sites in site order, x fastest.
class SolutionSummary
{
public:
    explicit SolutionSummary(int real_bytes) : digest_(real_bytes) {}
    void add_site(const double x[24], const double b[24]);
    RunReport::Solution result() const;

private:
    SpinorDigest digest_;
    double norm2_ = 0, source_norm2_ = 0;
    std::complex<double> source_dot_ = 0;
};

} // namespace qcd

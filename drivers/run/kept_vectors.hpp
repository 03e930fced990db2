#pragma once
// --mg-load and --mg-save: multigrid's test vectors in a file of spinors, which says in JSON of
// which links and matrix D they are.

#include "drivers/run/problem.hpp"
#include "drivers/spec/run_spec.hpp"
#include "lattice/files/spinor_file.hpp"
#include "lattice/files/spinor_writer.hpp"
#include "solver/test_vectors.hpp"

#include <memory>
#include <optional>
#include <string>

namespace qcd
{

class KeptVectors final : public TestVectors
{
public:
    /// Opens what is loaded and tries what is to be written. From now on the gauge field, which has
    /// not been read yet and lives longer, computes its digest. Throws Error.
    KeptVectors(const RunSpec&, ObservedGauge&);

    std::vector<std::unique_ptr<SpinorSource>> kept() override;
    /// What cannot be written is failure() then: it must not cost the solve.
    void keep(const SpinorField&, int rhs) override;

    /// Are those of the file of the same matrix D, so that they need no refinement? None: nothing
    /// is loaded.
    std::optional<bool> fit() const;
    const std::string& failure() const { return failure_; } ///< "": none

private:
    const RunSpec& spec_;
    const ObservedGauge& gauge_;
    int vectors_, bits_;
    std::optional<SpinorFile> loaded_;
    std::unique_ptr<SpinorWriter> writer_; // null: nothing is written, or no more
    int written_ = 0;
    std::string failure_;
};

/// Null where the options ask for neither.
std::shared_ptr<KeptVectors> open_test_vectors(const RunSpec&, ObservedGauge&);

} // namespace qcd

#pragma once
// From options to data: gauge field, source, precision.

#include "drivers/run/run_report.hpp"
#include "drivers/spec/dirac_problem.hpp"
#include "lattice/files/gauge_writer.hpp"
#include "lattice/spinor_source.hpp"
#include "lattice/twist.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/ranks.hpp"
#include "runtime/session_options.hpp"
#include "runtime/worker_counts.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace qcd
{

/// A gauge source that measures what passes, saves it if asked, and twists it. Of several ranks
/// each reads the time slices in which it has sites; the first one saves those of all.
class ObservedGauge : public GaugeSource
{
public:
    /// save_gauge empty: not saved. quiet: the source's notes are not printed.
    ObservedGauge(std::unique_ptr<GaugeSource> source, const std::string& save_gauge,
                  const Theta& theta, bool quiet, Ranks&);
    int bits() const override { return source_->bits(); }
    bool third_rows_are_completed() const override
    {
        return !is_twisted(theta_) && source_->third_rows_are_completed();
    }
    /// Time slice t is kept when it passes, as twisted.
    void keep_slice(int t) { kept_t_ = t; }
    std::span<const double> kept_slice() const { return kept_; }
    /// Memory that it takes to read the field: three time slices, and the one that is kept.
    std::size_t bytes() const { return (kept_t_ < 0 ? 3 : 4) * slice_reals() * sizeof(double); }
    /// The observables, after the last slice, once the file is found to agree with them; its notes
    /// go to stderr. Throws Error.
    GaugeObservables complete();
    /// From now on the digest is computed, too: xxh64 of the xxh64 of the links of each time slice,
    /// as they came, before they are twisted.
    void compute_digest() { slice_digests_.resize(std::size_t(extents()[3])); }
    std::uint64_t digest() const; ///< after the last slice
    void begin_slices(int first, int count) override;
    void read_outside(int t, std::span<double> links) override;

private:
    struct Part { // of a rank: the slices that it reads
        int first, count;
        bool operator==(const Part&) const = default;
    };
    void read(const Box&, std::span<double> links) override; ///< time slices, in order
    void save(int t, std::span<const double> links);
    bool leads(int rank) const; ///< Is it the first of those that read its slices?
    int rank_of(int first) const;
    /// The slice above this rank's, or the one below, from the rank that has read it.
    enum class Side { above, below };
    void exchange_slices(Side, std::span<double> links) const;
    GaugeObservables of_all_ranks();
    void share_digests();

    std::unique_ptr<GaugeSource> source_;
    GaugeMeasurement measurement_;
    std::unique_ptr<GaugeWriter> writer_; ///< of the first rank
    bool saves_;
    Ranks& ranks_;
    std::vector<Part> parts_; ///< of all ranks
    Theta theta_;
    bool quiet_;
    std::vector<std::uint64_t> slice_digests_; // none: not asked for
    int kept_t_ = -1;
    std::vector<double> kept_;
};

/// How files of fields are read.
GaugeReading gauge_reading(const ProblemSpec&);

/// Opens the gauge field of the options: file or generated.
std::unique_ptr<ObservedGauge> open_problem_gauge(const ProblemSpec&, const OutputSpec&,
                                                  Ranks& = one_rank());

/// Memory that it takes to read the field, and to make a clover term of it.
std::size_t bytes_to_read(const ObservedGauge&, const ProblemSpec&);

/// The report's lines that say what is computed.
ProblemReport describe(const ProblemSpec&, const ObservedGauge&, const SpinorSource&, Precision);

/// The report's lines that say what is asked for.
void describe_run(RunReport&, const RunSpec&);

/// The session of a command that is no solve. Says where OpenCL is left out.
SessionOptions session_of_tasks(const RunSpec&, const MachineFacts&, Ranks&);

/// Notes on workers that take turns, or would be faster in one process. All ranks call it.
void note_workers(const WorkerCounts&, const MachineFacts&, Ranks&, bool quiet);

/// The line of the memory that a solve takes. Throws Error where the machine has less.
void announce_memory(std::size_t bytes, MachineFacts, const OutputSpec&, const Ranks&);

} // namespace qcd

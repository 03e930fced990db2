#pragma once
// What a gauge file is, and whether it is good.

#include "lattice/files/file_bytes.hpp"
#include "lattice/gauge_observables.hpp"
#include "lattice/gauge_source.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace qcd
{

/// As far as the file could be read.
struct GaugeFileReport {
    std::string file;
    std::string error;  ///< the line that says why it is not good; "": it is
    std::string format; ///< "": not known
    std::optional<Extents> lattice;
    int bits = 0;         ///< of its numbers; 0: not known
    std::string checksum; ///< digits of the one that was compared; "": the file has none
    std::optional<GaugeObservables> observables;
    double unitarity = 0, determinant = 0; ///< largest |(U U^dagger - 1)_ij| and |det U - 1|
    std::vector<std::string> notes;        ///< what was forgiven

    bool good() const { return error.empty(); }
};

/// Reads all of it. `lattice` and GaugeReading as of open_gauge_file(). before_slice is called before
/// each time slice; what it throws with another status than exit_bad_input is thrown on.
GaugeFileReport check_gauge_file(std::unique_ptr<FileBytes>, const std::optional<Extents>& lattice,
                                 const std::function<void()>& before_slice,
                                 const GaugeReading& = {});

} // namespace qcd

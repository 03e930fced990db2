#pragma once
// What a file of fields is, and whether it is good.

#include "lattice/files/file_bytes.hpp"
#include "lattice/files/spinor_file.hpp"
#include "lattice/gauge_observables.hpp"
#include "lattice/gauge_source.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace qcd
{

/// What is known of a file of fields, as far as it could be read.
struct FieldFileReport {
    std::string file;
    std::string error;  ///< the line that says why it is not good; "": it is
    std::string format; ///< "": not known
    std::optional<Extents> lattice;
    int bits = 0;                   ///< of its numbers; 0: not known
    std::vector<std::string> notes; ///< what was forgiven

    bool good() const { return error.empty(); }
};

struct GaugeFileReport : FieldFileReport {
    std::string checksum; ///< digits of the one that was compared; "": the file has none
    std::optional<GaugeObservables> observables;
    double unitarity = 0, determinant = 0; ///< largest |(U U^dagger - 1)_ij| and |det U - 1|
};

struct SpinorFileReport : FieldFileReport {
    std::optional<SpinBasis> basis;
    bool basis_is_said = false;           ///< by the file; else what is usual in its format
    std::optional<BoundaryPhases> phases; ///< of what is in the file
    bool phases_are_said = false;
    std::optional<Theta> angles; ///< of spread phases that the file says
    bool propagator = false;
    std::string info;                   ///< as its writer put it; "": nothing
    std::vector<std::string> checksums; ///< digits of each record's; empty: not all have one
    /// What was found of each spinor, in DeGrand-Rossi, in the file's precision, with spread phases
    /// at the boundary where the file says the angles; empty where not all was read.
    std::vector<double> norm2;        ///< |x|^2
    std::vector<std::string> digests; ///< spinor_digest.hpp, 16 hexadecimal digits

    double total_norm2() const; ///< of all spinors
};

/// Does its content say that it is a file of spinors? That of a damaged one may not.
bool holds_spinors(const FileBytes&);

/// Reads all of it. `lattice` and GaugeReading as of open_gauge_file(). before_slice is called before
/// each time slice; what it throws with another status than exit_bad_input is thrown on.
GaugeFileReport check_gauge_file(std::unique_ptr<FileBytes>, const std::optional<Extents>& lattice,
                                 const std::function<void()>& before_slice,
                                 const GaugeReading& = {});

/// What read() throws is the error of a bad file; with another status than exit_bad_input it is
/// thrown on.
std::string error_of_reading(const std::function<void()>& read);

/// Reads all links of a source, and puts what it says of itself and what was found into the report.
void check_links(GaugeSource&, const std::function<void()>& before_slice, GaugeFileReport&);

/// Reads all of it. `lattice` is that of a file that says lx in place of lz; another one is
/// refused. before_slice is called before each time slice of each spinor; what it throws with
/// another status than exit_bad_input is thrown on.
SpinorFileReport check_spinor_file(std::unique_ptr<FileBytes>,
                                   const std::optional<Extents>& lattice,
                                   const std::function<void()>& before_slice,
                                   bool ignore_checksum = false);

} // namespace qcd

#pragma once
// Spinor fields in files: one, several, or the twelve of a propagator. The readers of the formats
// (scidac_spinors.hpp, etmc_spinors.hpp) turn a header into a SpinorFileHeader after comparing
// every size with the file's.

#include "lattice/boundary_phases.hpp"
#include "lattice/files/checksum.hpp"
#include "lattice/files/file_bytes.hpp"
#include "lattice/spin_basis.hpp"
#include "lattice/spinor_source.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qcd
{

/// A record: where the numbers of all sites are, in site order.
struct StoredSpinors {
    std::uint64_t offset = 0;
    std::optional<ScidacChecksum> checksum = {};
    std::optional<std::uint64_t> digest = {}; ///< spinor_digest.hpp, of its one in DeGrand-Rossi
    int spinors = 1;                          ///< at each site, one after the other
};

/// More than anyone has in a file: what says so is damaged.
inline constexpr int most_spinors_of_file = 4096;

/// What a header says. The data are known to lie inside the file.
struct SpinorFileHeader {
    std::string format_name; ///< such as "SciDAC, propagator, 64 bits"
    Extents lattice{};
    int bits = 64; ///< of a number
    bool big_endian = true;
    std::optional<SpinBasis> basis;                         ///< as the file says it
    SpinBasis usual_basis = SpinBasis::degrand_rossi;       ///< of files of this format that do not
    std::optional<SaidPhases> phases;                       ///< as the file says them
    BoundaryPhases usual_phases = BoundaryPhases::boundary; ///< likewise
    /// Twelve spinors for the sources of spin s and colour c, number 3 s + c.
    bool propagator = false;
    /// A propagator whose one record has not one spinor after the other, but at each site
    /// [spin][spin of the source][colour][colour of the source].
    bool matrix = false;
    std::string info; ///< what it says it is (SpinorFileKind::info); "": nothing
    std::vector<StoredSpinors> records;
    std::vector<std::string> notes; ///< what was forgiven, a line each

    int spinors() const; ///< of all records
};

/// The name of such a format, with what distinguishes its kinds: all else in the header is there.
std::string spinor_format_name(std::string_view format, const SpinorFileHeader& header);

/// How files are read that do not say it themselves. What is not there is what is usual in the
/// format.
struct SpinorReading {
    std::optional<SpinBasis> basis = {};
    std::optional<BoundaryPhases> phases = {};
    /// The angles of the boundaries, where the problem is known. Spinors whose phases are spread
    /// are left so where neither this nor the file says the angles.
    std::optional<Theta> angles = {};
    bool ignore_checksum = false; ///< A wrong checksum or digest is a note.
};

class SpinorFile
{
public:
    /// Throws Error where the file says something else than is asked for.
    SpinorFile(std::unique_ptr<FileBytes> bytes, SpinorFileHeader header, const SpinorReading&);

    Extents lattice() const { return header_.lattice; }
    std::string description() const; ///< the file and its format
    int bits() const { return header_.bits; }
    const std::string& info() const { return header_.info; } ///< as its writer put it
    const std::string& format() const { return header_.format_name; }
    SpinBasis basis() const { return basis_; }                       ///< of what is in the file
    bool basis_is_said() const { return header_.basis.has_value(); } ///< by the file
    BoundaryPhases phases() const { return phases_; }                ///< likewise
    bool phases_are_said() const { return header_.phases.has_value(); }
    /// The angles by which phases() are spread in the file; none: not known.
    std::optional<Theta> angles() const { return angles_; }
    /// The checksums of its records, of which each may have several spinors; empty where not all
    /// have one.
    std::vector<ScidacChecksum> checksums() const;
    bool is_propagator() const { return header_.propagator; }
    int spinors() const { return header_.spinors(); } ///< 12 of a propagator
    const std::vector<std::string>& notes() const { return header_.notes; }

    /// Reads all of it: numbers must be finite; what it claims of itself is compared. Returns a line
    /// for each wrong claim that is to be ignored. Throws Error.
    std::vector<std::string> verify() const;

    /// In DeGrand-Rossi, like the source of a propagator's, with the phases at the boundary where
    /// the angles are known. It reads site by site from the file and outlives this object; it may
    /// be used by several threads.
    std::unique_ptr<SpinorSource> spinor(int number) const;

private:
    std::shared_ptr<const FileBytes> bytes_;
    SpinorFileHeader header_;
    SpinBasis basis_;
    BoundaryPhases phases_;
    std::optional<Theta> angles_;
    bool ignores_checksum_;
};

/// Opens a file of spinors on this lattice, or on whatever it says; its content tells the format.
/// Throws Error, naming the file. It is not verified yet.
SpinorFile open_spinor_file(const std::string& path, const std::optional<Extents>& lattice,
                            const SpinorReading& = {});
SpinorFile open_spinor_file(std::unique_ptr<FileBytes> bytes, const std::optional<Extents>& lattice,
                            const SpinorReading& = {});

} // namespace qcd

#pragma once
// A gauge field that is read or generated box by box: no copy of the whole lattice.

#include "lattice/box.hpp"
#include "lattice/files/checksum.hpp"
#include "lattice/gauge_observables.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qcd
{

class GaugeSource
{
public:
    virtual ~GaugeSource() = default;
    GaugeSource(const GaugeSource&) = delete;
    GaugeSource& operator=(const GaugeSource&) = delete;

    Extents extents() const { return extents_; }

    /// One line: the specification with its defaults, or the file with its format.
    std::string description() const { return description_; }

    /// Bits of the numbers that the links come from, or that they were reunitarized in: 32 or 64.
    /// They are in SU(3) to that precision.
    virtual int bits() const { return 64; }

    /// Is row 2 of every link what links::complete_third_row() makes of rows 0 and 1, bit for bit?
    virtual bool third_rows_are_completed() const { return false; }

    /// A file's format, and the digits of the checksum that finish() compares; else, and where the
    /// file has none, "".
    virtual std::string format() const { return {}; }
    virtual std::string checksum() const { return {}; }

    /// Reals of a time slice: 72 LX LY LZ.
    std::size_t slice_reals() const;

    /// Whoever reads these time slices in order, and no other boxes, says so before the first.
    virtual void begin_slices(int /*first*/, int /*count*/) {}

    /// Reads, after those, the slice above the last one, then the one below the first, for whoever
    /// needs both. Where several read a file together they have them from each other.
    virtual void read_outside(int t, std::span<double> links) { read_slice(t, links); }

    /// Links of a box into `links` (72 numbers a site): sites of the box ascending, x fastest, then
    /// mu = x,y,z,t, row, column, re, im. Boxes may come in any order. Of a file, a site may
    /// be asked for once, and no link is read that is not in the box. Throws Error where a box
    /// leaves the lattice, a site of a file comes again, and the data are truncated, not finite or
    /// not in SU(3).
    void read_box(const Box&, std::span<double> links);

    /// The box that is time slice t: slice_reals() numbers.
    void read_slice(int t, std::span<double> links);

    /// Compares, after the last box, what a file claims about itself (checksum, plaquette, link
    /// trace) with what was read. Throws Error on the first difference. Where not every site was
    /// read there is nothing to compare with, and nothing is.
    virtual void finish(const GaugeObservables& measured);

    /// Where several sources read a file, each its part: what this one has read, and what it is
    /// told that others have, before finish(), which then compares the whole.
    virtual ReadSums read_sums() const { return {}; }
    virtual void add_read(const ReadSums& /*by_another*/) {}

    /// Are the links t of the last time slice 0, as open boundary conditions and the Schroedinger
    /// functional have them? D with these boundaries is not here.
    virtual bool is_open_in_time() const { return false; }

    /// What a user should know of a file that is read although it is not as it should be: one line
    /// each, complete after finish().
    const std::vector<std::string>& notes() const { return notes_; }

protected:
    GaugeSource(const Extents& extents, std::string description);
    void add_note(std::string line) { notes_.push_back(std::move(line)); }

    /// t, if the box is time slice t; else throws Error: for sources that know slices only.
    int slice_of(const Box&) const;

private:
    /// read_box of a box inside the lattice, with room for its links.
    virtual void read(const Box&, std::span<double> links) = 0;

    Extents extents_;
    std::string description_;
    std::vector<std::string> notes_;
};

/// How a file of links is read, where the file does not decide it.
struct GaugeReading {
    /// Links that are not in SU(3) to the precision of the file's numbers, but to 1e-4, such as links
    /// of single accuracy in a file of 64 bits: all links are projected by links::project, rows
    /// orthonormalised in order and divided by the cube root of the determinant, and a note says how
    /// far that moved them. Else they are refused.
    bool reunitarize = false;
    bool ignore_checksum = false; ///< A wrong checksum is a note.
    /// Which gauge field of a SciDAC file, from 0 on; none: its only one.
    std::optional<int> number = {};
};

/// Does a specification name a generated field (unit, random, weak, gen or quenched, with parameters
/// behind a colon)? All else is a file.
bool is_generated(std::string_view spec);

/// unit | random[:SEED] | weak:EPS[,SEED] | gen:SEED,W | FILE (its content tells the format).
/// The default seed is 1. `lattice` is needed by generated fields; a file must agree with it.
/// quenched:BETA,SEED,SWEEPS is made where kernels are known (tasks/quenched_gauge.hpp).
/// A file called like a specification can be given as ./NAME. Throws Error.
std::unique_ptr<GaugeSource>
open_gauge(std::string_view spec, const std::optional<Extents>& lattice, const GaugeReading& = {});

} // namespace qcd

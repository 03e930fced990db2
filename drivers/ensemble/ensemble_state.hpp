#pragma once
// An ensemble under way: what has been measured so far, and, in a file, all that it goes on from.

#include "drivers/spec/commands.hpp"
#include "lattice/files/file_bytes.hpp"
#include "lattice/gauge_source.hpp"
#include "lattice/link.hpp"
#include "tasks/link_field.hpp"
#include "tasks/link_updates.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace qcd
{

/// What was measured of the field after a sweep.
struct EnsembleRow {
    int sweep = 0;
    double plaquette = 0, spatial = 0, temporal = 0; ///< (1/3) Re tr, averages (LinkAverages)
    links::Complex polyakov{0, 0};                   ///< LinkAverages
    bool operator==(const EnsembleRow& o) const
    {
        return sweep == o.sweep && plaquette == o.plaquette && spatial == o.spatial &&
               temporal == o.temporal && polyakov.re == o.polyakov.re &&
               polyakov.im == o.polyakov.im;
    }
};

/// Besides the links.
struct EnsembleState {
    Extents lattice{};
    std::string start; ///< what it began with
    UpdateRule rule;
    int sweeps = 0; ///< that are done
    std::vector<EnsembleRow> rows;
    link_counts counts{};
    bool operator==(const EnsembleState&) const;
};

/// A file of state and links, every bit of them, whole or not at all: the first rank writes it, all
/// call it. Throws Error.
void write_ensemble(const std::string& path, const EnsembleState&, const LinkField&);

/// Does it begin as such a file does?
bool is_ensemble(const FileBytes&);

/// The state of such a file, and its links as a source, which reads the file. Throws Error, naming
/// the file, where its checksum is not that of its contents. before_slice is called before each
/// time slice is read to compute the checksum.
struct SavedEnsemble {
    EnsembleState state;
    std::unique_ptr<GaugeSource> links;
};
SavedEnsemble read_ensemble(
    std::unique_ptr<FileBytes>, const std::function<void()>& before_slice = [] {});

} // namespace qcd

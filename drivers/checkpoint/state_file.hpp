#pragma once
// States of solves in files of checkpoints.

#include "drivers/spec/commands.hpp"
#include "lattice/files/checkpoint_file.hpp"
#include "lattice/spinor_source.hpp"
#include "solver/state.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace qcd
{

class LatticeGraph;

/// What a checkpoint says of the problem of these options, whose links are chosen, without the
/// digest of the links. Goes over the source of each right-hand side, whose digest is that of a
/// solution with these numbers (lattice/spinor_digest.hpp).
CheckpointProblem checkpoint_problem(const RunSpec&, const Extents&,
                                     std::span<const std::unique_ptr<SpinorSource>>);

/// States of all right-hand sides. Returns the bytes of the file. Throws Error.
std::uint64_t write_states(const std::string& path, const CheckpointProblem&,
                           const std::vector<State>&);
/// Like write_states(), by all ranks of a graph, each with its own sites, of which the first one
/// writes the file: the others return 0, and throw nothing.
std::uint64_t write_states(const std::string& path, const CheckpointProblem&,
                           const std::vector<State>&, const LatticeGraph&);

/// Reads the states of all sites, or of those of a box, which is not cut in x. Throws Error.
std::vector<State> read_states(const CheckpointFile&);
std::vector<State> read_states(const CheckpointFile&, const Box&);

} // namespace qcd

#pragma once
// Checkpoints of solves in files (docs/checkpoints.md): LIME with the records
//   qcd-checkpoint         XML: of which problem, by which method, how far
// for each right-hand side
//   qcd-scalars            the method's scalars, as it numbers them
//   qcd-residuals          |r|/|b| after 0, 1, ... iterations
//   qcd-residuals-before   the same of the method before this one; may lack
//   qcd-vector             24 reals a site, in site order (x fastest); one for each vector
// and at the end
//   qcd-checksums          xxh64 of the data of each record above, 16 hexadecimal digits a line
// Reals are IEEE's, little-endian: of vectors those of the solve's precision, all others of 64
// bits.

#include "lattice/box.hpp"
#include "lattice/files/checkpoint_header.hpp"
#include "lattice/files/file_bytes.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace qcd
{

/// Does it begin as a checkpoint does?
bool is_checkpoint(const FileBytes& bytes);

class CheckpointFile
{
public:
    /// Reads and checks all but the vectors, of which it knows that they are there. Throws Error.
    explicit CheckpointFile(std::unique_ptr<FileBytes>);

    const CheckpointHeader& header() const { return header_; }
    const std::string& name() const { return bytes_->name(); }
    std::uint64_t size() const { return bytes_->size(); }

    /// Throws Error where it is not what its checksum says.
    std::vector<char> read_vector(std::size_t number, std::size_t rhs = 0) const;
    /// A vector at the sites of a box, which is not cut in x; all are read, a time slice at a time.
    std::vector<char> read_vector(std::size_t number, const Box&, std::size_t rhs = 0) const;

private:
    std::unique_ptr<FileBytes> bytes_;
    CheckpointHeader header_;
    struct Vector {
        std::uint64_t offset, length, checksum; ///< of its data
    };
    std::vector<Vector> vectors_;
};

/// Calls put with the bytes of a vector, in their order.
using VectorPieces =
    std::function<void(const std::function<void(std::span<const std::byte>)>& put)>;

/// The file appears when it is complete and on the disk; one that stands there stays until then.
/// vectors: as the header names them, of each right-hand side, each asked for once, in that order.
/// Returns the bytes of the
/// file. Throws Error.
std::uint64_t write_checkpoint(const std::string& path, const CheckpointHeader&,
                               const std::vector<VectorPieces>& vectors);
/// Writes a checkpoint of vectors that are in memory.
std::uint64_t write_checkpoint(const std::string& path, const CheckpointHeader&,
                               const std::vector<std::span<const std::byte>>& vectors);

} // namespace qcd

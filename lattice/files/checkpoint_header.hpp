#pragma once
// What a checkpoint says of itself in XML, and the reals that go with it.

#include "lattice/extents.hpp"
#include "lattice/twist.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qcd
{

class XmlFields;

/// What must be the same for a solve to go on. Digests: of all links and of the source.
struct CheckpointProblem {
    Extents lattice{};
    bool antiperiodic = true;
    Theta theta{};
    double kappa = 0, mubar = 0, csw = 0;
    std::string solver; ///< cr, cg or bicgstab
    bool even_odd = true;
    int bits = 64;        ///< of a real
    int links = 18;       ///< reals of a link
    double tolerance = 0; ///< 0: none, as many iterations as asked for
    std::uint64_t links_digest = 0;
    std::vector<std::uint64_t> source_digests{0}; ///< of each right-hand side
};

/// The first thing in which they differ, with its values: "kappa is 0.12 there, 0.125 here"; "":
/// none. Digests of links are compared last, and only if asked for.
std::string difference(const CheckpointProblem& there, const CheckpointProblem& here,
                       bool links_are_known);

/// All but the vectors.
struct CheckpointHeader {
    CheckpointProblem problem;
    std::string program; ///< that wrote it
    std::string method;  ///< of the state: the solver, or cg after a cr that broke down
    /// What a method has done: applications of the operator, |r|/|b| after 0, 1, ... iterations;
    /// none where it has no part in a right-hand side.
    struct Done {
        long applications = 0;
        std::vector<double> residuals{};
        int iterations() const { return residuals.empty() ? 0 : int(residuals.size()) - 1; }
    };
    struct Side { ///< a right-hand side
        std::vector<double> scalars{};
        Done done{};
        std::optional<Done> before{}; ///< of cr, where cg goes on for it
        long applications_at_start = 0;
        int iterations() const { return done.iterations() + (before ? before->iterations() : 0); }
        long applications() const
        {
            return done.applications + (before ? before->applications : 0);
        }
    };
    std::vector<Side> sides{1};
    std::vector<std::string> vectors; ///< names, of each right-hand side

    int iterations() const;    ///< of the right-hand side that has made most
    long applications() const; ///< of all
    double residual() const;   ///< |r|/|b|, the largest of all
};

/// The root's name, and what is between it and its end: the elements of docs/checkpoints.md.
inline constexpr const char* checkpoint_root = "qcdCheckpoint";
std::string checkpoint_xml(const CheckpointHeader&);

/// Takes <version>; throws Error where this program does not read it.
void require_checkpoint_version(XmlFields&);
/// All that is left; `before` is there, without residuals, where the file has those. Throws Error.
CheckpointHeader take_checkpoint_header(XmlFields);

} // namespace qcd

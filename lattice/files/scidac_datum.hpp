#pragma once
// What the data of a SciDAC record are. The record says it twice: <typesize>, the bytes of a datum,
// and <datatype>, a name, which says it where it is one of the names below; of a file of another
// code it may say nothing. <datacount> is how many data a site has. Bytes a site alone do not say
// it: 12 spinors have as many as the matrix of a propagator.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace qcd
{

/// What a datum is; the value is the number of complex numbers in it.
enum class ScidacDatum {
    other = 0,
    number = 1,
    colour_vector = 3,
    colour_matrix = 9,
    spinor = 12,
    links = 36, ///< the four of a site
    propagator = 144
};

/// What the private XML of a record says of a site.
struct ScidacShape {
    std::string datatype; ///< such as QDP_D3_ColorMatrix
    int bits = 0;         ///< of a real: 32 or 64
    std::uint64_t typesize = 0, datacount = 0;

    std::uint64_t site_bytes() const { return typesize * datacount; }
};

struct ScidacContent {
    ScidacDatum datum = ScidacDatum::other;
    std::uint64_t count = 0; ///< at each site
};

/// What the name of the type says:
///   *DiracFermion, *Ns4Nc3_ColorSpinorField, GRID_?_SpinVector4_ColourVector3       spinor
///   *DiracPropagator, GRID_?_SpinMatrix4_ColourMatrix3                              propagator
///   *ColorMatrix, *GaugeField, GRID_?_ColourMatrix3, GRID_?_LorentzVector4_ColourMatrix3
///                                                                                   matrix
///   *ColorVector, *Ns1Nc3_ColorSpinorField, GRID_?_ColourVector3                    vector
///   *Complex                                                                        number
///   *HalfFermion, *Real, *Int, *RandomState, other *ColorSpinorField and GRID_*     other
/// None: the name says nothing, such as Chroma's "Lattice".
std::optional<ScidacDatum> datum_named(std::string_view datatype);

/// The content that the bytes of a datum say unless the name says otherwise; what contradicts
/// itself is `other`. Old versions of CPS give the bytes of one real and count those of a site:
/// then the name says what they are.
ScidacContent content_of(const ScidacShape&);

/// "'QDP_D3_ColorVector', 4 of 48 bytes a site"
std::string to_string(const ScidacShape&);

} // namespace qcd

// What a SciDAC record says that its data are.

#include "lattice/files/scidac_datum.hpp"

#include <catch2/catch.hpp>

using namespace qcd;

TEST_CASE("names of types that codes give to records", "[scidac]")
{
    const std::pair<const char*, std::optional<ScidacDatum>> names[] = {
        {"USQCD_F3_DiracFermion", ScidacDatum::spinor},
        {"QDP_D3_DiracFermion", ScidacDatum::spinor},
        {"QUDA_DNs4Nc3_ColorSpinorField", ScidacDatum::spinor},
        {"QIO_FNs4Nc3_ColorSpinorField", ScidacDatum::spinor},
        {"QUDA_DNs2Nc24_ColorSpinorField", ScidacDatum::other},
        {"QUDA_DNs1Nc3_ColorSpinorField", ScidacDatum::colour_vector},
        {"GRID_D_SpinVector4_ColourVector3", ScidacDatum::spinor},
        {"GRID_F_SpinVector4_ColourVector3", ScidacDatum::spinor},
        {"GRID_D_SpinMatrix4_ColourMatrix3", ScidacDatum::propagator},
        {"GRID_D_LorentzVector4_ColourMatrix3", ScidacDatum::colour_matrix},
        {"GRID_D_SpinVector4_ColourMatrix3", ScidacDatum::other},
        {"GRID_D_ColourVector3", ScidacDatum::colour_vector},
        {"GRID_", ScidacDatum::other},
        {"QDP_D3_DiracPropagator", ScidacDatum::propagator},
        {"QDP_F3_ColorMatrix", ScidacDatum::colour_matrix},
        {"QUDA_DNc3_GaugeField", ScidacDatum::colour_matrix},
        {"USQCD_D3_ColorVector", ScidacDatum::colour_vector},
        {"USQCD_D3_Complex", ScidacDatum::number},
        {"QDP_D3_HalfFermion", ScidacDatum::other},
        {"QLA_F_Real", ScidacDatum::other},
        {"Lattice", std::nullopt},
        {"float_double", std::nullopt},
        {"", std::nullopt}};
    for (const auto& [name, datum] : names) {
        INFO(name);
        CHECK(datum_named(name) == datum);
    }
}

TEST_CASE("bytes of a datum and its name say what a record holds", "[scidac]")
{
    const int bits = GENERATE(32, 64);
    const std::uint64_t real = std::uint64_t(bits) / 8;
    struct Case {
        const char* name;
        std::uint64_t reals, count;
        ScidacDatum datum;
        std::uint64_t data;
    };
    const Case cases[] = {{"Lattice", 24, 12, ScidacDatum::spinor, 12},
                          {"Lattice", 288, 1, ScidacDatum::propagator, 1},
                          {"Lattice", 18, 4, ScidacDatum::colour_matrix, 4},
                          {"Lattice", 6, 4, ScidacDatum::colour_vector, 4},
                          {"Lattice", 2, 144, ScidacDatum::number, 144},
                          {"Lattice", 1, 288, ScidacDatum::other, 288},
                          {"Lattice", 48, 6, ScidacDatum::other, 6},
                          {"Lattice", 0, 1, ScidacDatum::other, 1},
                          {"x_DiracFermion", 24, 12, ScidacDatum::spinor, 12},
                          {"x_DiracFermion", 1, 24, ScidacDatum::spinor, 1},
                          {"x_DiracFermion", 1, 48, ScidacDatum::other, 48},
                          {"x_DiracFermion", 2, 12, ScidacDatum::other, 12},
                          {"x_DiracFermion", 6, 4, ScidacDatum::other, 4},
                          {"x_DiracFermion", 288, 1, ScidacDatum::other, 1},
                          {"x_DiracPropagator", 1, 288, ScidacDatum::propagator, 1},
                          {"x_DiracPropagator", 24, 12, ScidacDatum::other, 12},
                          {"x_ColorMatrix", 18, 4, ScidacDatum::colour_matrix, 4},
                          {"x_ColorMatrix", 72, 1, ScidacDatum::links, 1},
                          {"x_ColorVector", 24, 1, ScidacDatum::other, 1},
                          {"x_Complex", 1, 2, ScidacDatum::number, 1},
                          {"x_Real", 1, 1, ScidacDatum::other, 1}};
    for (const Case& c : cases) {
        const ScidacShape shape{c.name, bits, c.reals * real, c.count};
        INFO(to_string(shape));
        const ScidacContent found = content_of(shape);
        CHECK(found.datum == c.datum);
        CHECK(found.count == c.data);
    }
}

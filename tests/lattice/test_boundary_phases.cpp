// Phases of the boundaries that are spread over all links, against a loop of its own.

#include "base/error.hpp"
#include "lattice/boundary_phases.hpp"
#include "lattice/box.hpp"
#include "lattice/files/file_check.hpp"
#include "lattice/files/hdf5_dataset.hpp"
#include "lattice/files/spinor_writer.hpp"
#include "tests/lattice/made_spinors.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <fmt/format.h>

using namespace qcd;
using namespace qcd::test;
using Catch::Contains;

namespace
{

constexpr Theta twisted{0.3, -1.25, 2.5, 1};

Numbers numbers_of(const SpinorSource& spinor)
{
    Numbers all(std::size_t(volume(made_spinor_lattice)) * 24);
    for (long site = 0; site < volume(made_spinor_lattice); ++site)
        spinor.site(coordinates(made_spinor_lattice, site), &all[std::size_t(24 * site)]);
    return all;
}

double distance(const Numbers& a, const Numbers& b)
{
    REQUIRE(a.size() == b.size());
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

void write_spinors(const std::string& path, const SpinorFileKind& kind,
                   const std::vector<Numbers>& spinors)
{
    const auto writer = make_spinor_writer(path, kind);
    for (const Numbers& psi : spinors)
        for (std::size_t site = 0; site < psi.size(); site += 24) writer->add_site(&psi[site]);
    writer->finish();
}

SpinorReading spread_in(const Theta& angles)
{
    return {.phases = BoundaryPhases::spread, .angles = angles};
}

} // namespace

TEST_CASE("spread phases are the factor at each site, and back", "[phases]")
{
    const Theta theta =
        GENERATE(Theta(twisted), Theta{0, 0, 0, 1}, Theta{0, 0, 0, -1}, Theta{1e6, 0, 0, 3});
    const Numbers psi = random_spinor(made_spinor_lattice, 3);
    Numbers there = psi;
    const SpreadPhases phases(made_spinor_lattice, theta);
    for (long site = 0; site < volume(made_spinor_lattice); ++site)
        phases.to_boundary(coordinates(made_spinor_lattice, site), &there[std::size_t(24 * site)]);
    // The loop's cosine of a large angle is of a rounded one.
    CHECK(distance(there, turned(psi, theta, 1)) < (theta[0] > 1 ? 1e-8 : 1e-14));
    Numbers back = there;
    for (long site = 0; site < volume(made_spinor_lattice); ++site)
        phases.to_spread(coordinates(made_spinor_lattice, site), &back[std::size_t(24 * site)]);
    CHECK(distance(back, psi) < 1e-14);
}

TEST_CASE("whole turns at each site, and no angle, leave every bit", "[phases]")
{
    Numbers psi = random_spinor(made_spinor_lattice, 3);
    psi[1] = -0.0;
    const auto [lx, ly, lz, lt] = made_spinor_lattice;
    for (const Theta& none : {Theta{}, Theta{2.0 * lx, -4.0 * ly, 0, 2.0 * lt}}) {
        Numbers there = psi;
        const SpreadPhases phases(made_spinor_lattice, none);
        for (long site = 0; site < volume(made_spinor_lattice); ++site)
            phases.to_boundary(coordinates(made_spinor_lattice, site),
                               &there[std::size_t(24 * site)]);
        CHECK(std::memcmp(there.data(), psi.data(), 8 * psi.size()) == 0);
    }
}

TEST_CASE("angles of a problem, and what files say of phases", "[phases]")
{
    CHECK(boundary_angles(true, {0.5, 0, 0, 0.25}) == Theta{0.5, 0, 0, 1.25});
    CHECK(boundary_angles(false, {0.5, 0, 0, 0.25}) == Theta{0.5, 0, 0, 0.25});
    for (const SaidPhases& said : {SaidPhases{}, SaidPhases{BoundaryPhases::spread, {}},
                                   SaidPhases{BoundaryPhases::spread, twisted},
                                   SaidPhases{BoundaryPhases::spread, {1. / 3, 1e-30, -7e5, 0}}}) {
        INFO(to_string(said));
        CHECK(said_phases_of(to_string(said)) == said);
    }
    CHECK(to_string(SaidPhases{BoundaryPhases::spread, {0.5, 0, 0, 1}}) == "spread:0.5,0,0,1");
    for (const char* text : {"", "spread", "spread:", "spread:1,2,3", "spread:1,2,3,x",
                             "spread:1,2,3,4,5", "spread:0,0,0,nan", "spread:0,0,0,1e7",
                             "boundary:", "boundary:0,0,0,1", "Spread:0,0,0,1", "links"})
        CHECK_FALSE(said_phases_of(text));
}

TEST_CASE("a spinor goes to a file with spread phases, and comes back", "[phases][spinor file]")
{
    const int bits = GENERATE(32, 64);
    const std::string name = GENERATE("f.lime", "f.h5");
    const auto basis = GENERATE(SpinBasis::degrand_rossi, SpinBasis::chiral);
    if (name == "f.h5" && !has_hdf5()) return;
    const Scratch folder;
    const Numbers psi = random_spinor(made_spinor_lattice, 3);
    write_spinors(folder / name,
                  {.lattice = made_spinor_lattice,
                   .bits = bits,
                   .basis = basis,
                   .phases = {BoundaryPhases::spread, twisted}},
                  {psi});
    const double rounding = bits == 64 ? 1e-14 : 1e-6;
    // The file says the angles: those of the problem do not matter.
    for (const auto& angles : {std::optional<Theta>(), std::optional(Theta{0, 0, 0, 0.5})}) {
        const SpinorFile file =
            open_spinor_file(folder / name, made_spinor_lattice, {.angles = angles});
        file.verify();
        CHECK(file.phases() == BoundaryPhases::spread);
        CHECK(file.phases_are_said());
        CHECK(file.angles() == twisted);
        const auto spinor = file.spinor(0);
        CHECK(distance(numbers_of(*spinor), psi) < rounding);
        CHECK(spinor->phases() == BoundaryPhases::spread);
        CHECK_THAT(spinor->description(), Contains("phases spread over all links"));
    }
    CHECK_THROWS_WITH(
        open_spinor_file(folder / name, made_spinor_lattice, {.phases = BoundaryPhases::boundary}),
        Contains("the file says that its boundary phases are spread over all links, "
                 "not at the boundary as asked for"));
    CHECK_NOTHROW(open_spinor_file(folder / name, made_spinor_lattice, spread_in(twisted)));
    if (name == "f.h5") return;
    // The same numbers where the file does not say what they are.
    std::string bytes = read_text(folder / name);
    for (std::size_t at; (at = bytes.find("boundaryPhases")) != std::string::npos;)
        bytes.replace(at, 8, "ordinary");
    const SpinorFile stored = open_spinors(bytes);
    CHECK(stored.phases() == BoundaryPhases::boundary);
    CHECK_FALSE(stored.phases_are_said());
    CHECK(distance(numbers_of(*stored.spinor(0)), turned(psi, twisted, -1)) < rounding);
    CHECK(distance(numbers_of(*open_spinors(bytes, spread_in(twisted)).spinor(0)), psi) < rounding);
}

TEST_CASE("files say that their phases are at the boundary", "[phases][spinor file]")
{
    const std::string name = GENERATE("f.lime", "f.h5");
    if (name == "f.h5" && !has_hdf5()) return;
    const Scratch folder;
    const Numbers psi = random_spinor(made_spinor_lattice, 3);
    write_spinors(folder / name, {.lattice = made_spinor_lattice}, {psi});
    const SpinorFile file =
        open_spinor_file(folder / name, made_spinor_lattice, {.angles = twisted});
    file.verify(); // with its digest
    CHECK(file.phases() == BoundaryPhases::boundary);
    CHECK(file.phases_are_said());
    CHECK(numbers_of(*file.spinor(0)) == psi);
    CHECK_THAT(file.spinor(0)->description(), Contains("phases at the boundary"));
    CHECK_THROWS_WITH(open_spinor_file(folder / name, made_spinor_lattice, spread_in(twisted)),
                      Contains("are at the boundary, not spread over all links as asked for"));
    const SpinorFile periodic =
        open_spinor_file(folder / name, made_spinor_lattice, {.angles = Theta{}});
    CHECK_FALSE(periodic.spinor(0)->phases());
    CHECK_THAT(periodic.spinor(0)->description(), !Contains("phases"));
}

TEST_CASE("tmLQCD's phases are spread, Chroma's are not, unless it is asked for otherwise",
          "[phases][spinor file]")
{
    const std::vector<Numbers> all = random_propagator(made_spinor_lattice, 2);
    const std::string etmc = etmc_file({all[0], all[1]}, 64, "DiracFermion_Sink").bytes(),
                      chroma = chroma_propagator(all, 64).bytes();
    const auto read = [&](const std::string& bytes, SpinorReading reading) {
        reading.basis = SpinBasis::degrand_rossi;
        return numbers_of(*open_spinors(bytes, reading).spinor(1));
    };
    CHECK(distance(read(etmc, {.angles = twisted}), turned(all[1], twisted, 1)) < 1e-14);
    CHECK(distance(read(etmc, spread_in(twisted)), turned(all[1], twisted, 1)) < 1e-14);
    CHECK(read(etmc, {.phases = BoundaryPhases::boundary, .angles = twisted}) == all[1]);
    CHECK(read(etmc, {.angles = Theta{}}) == all[1]);
    CHECK(read(etmc, {}) == all[1]); // the angles are not known
    CHECK(read(chroma, {.angles = twisted}) == all[1]);
    CHECK(distance(read(chroma, spread_in(twisted)), turned(all[1], twisted, 1)) < 1e-14);
    CHECK(open_spinors(etmc).phases() == BoundaryPhases::spread);
    CHECK_FALSE(open_spinors(etmc).angles());
    CHECK(open_spinors(chroma).phases() == BoundaryPhases::boundary);

    // The source's spin is rotated, too.
    const SpinorFile rotated = open_spinors(
        chroma, {.basis = SpinBasis::chiral, .phases = BoundaryPhases::spread, .angles = twisted});
    const SpinorFile plain = open_spinors(chroma, {.basis = SpinBasis::chiral});
    for (int number = 0; number < 12; ++number)
        CHECK(distance(numbers_of(*rotated.spinor(number)),
                       turned(numbers_of(*plain.spinor(number)), twisted, 1)) < 1e-14);
}

TEST_CASE("a check says where phases are, and has the digest of what is known", "[phases]")
{
    const Scratch folder;
    const Numbers psi = random_spinor(made_spinor_lattice, 3);
    const auto check = [&] { return check_spinor_file(open_file_bytes(folder / "f"), {}, [] {}); };
    write_spinors(folder / "f", {.lattice = made_spinor_lattice}, {psi});
    const SpinorFileReport boundary = check();
    CHECK(boundary.phases == BoundaryPhases::boundary);
    CHECK(boundary.phases_are_said);
    CHECK_FALSE(boundary.angles);

    write_spinors(
        folder / "f",
        {.lattice = made_spinor_lattice, .bits = 32, .phases = {BoundaryPhases::spread, twisted}},
        {psi});
    const SpinorFileReport spread = check();
    CHECK(spread.good());
    CHECK(spread.phases == BoundaryPhases::spread);
    CHECK(spread.angles == twisted);
    CHECK(spread.norm2[0] == Approx(boundary.norm2[0]).epsilon(1e-6));

    write_text(folder / "f", etmc_file({psi}, 64, "DiracFermion_Sink").bytes());
    const SpinorFileReport etmc = check();
    CHECK(etmc.phases == BoundaryPhases::spread);
    CHECK_FALSE(etmc.phases_are_said);
    CHECK_FALSE(etmc.angles);
}

TEST_CASE("phases that contradict each other or mean nothing are refused", "[phases][corrupt]")
{
    const auto load = [](const std::string& in_file, const std::string& in_record) {
        LimeFile file =
            scidac_spinor_file({random_spinor(made_spinor_lattice, 1)}, 64, {in_record});
        file["scidac-file-xml"].data = in_file;
        return open_spinors(file.bytes());
    };
    const std::string spread = "<boundaryPhases>spread:0,0,0,1</boundaryPhases>",
                      other = "<boundaryPhases>spread:0,0,0,-1</boundaryPhases>",
                      boundary = "<boundaryPhases> boundary </boundaryPhases>";
    CHECK(load(spread, spread).angles() == Theta{0, 0, 0, 1});
    CHECK(load("", boundary).phases_are_said());
    for (const auto& [a, b] : {std::pair{spread, other}, {spread, boundary}})
        CHECK_THROWS_WITH(load(a, b), Contains("fields of several boundary phases"));
    for (const char* text : {"spread", "everywhere", "spread:1,2,3"})
        CHECK_THROWS_WITH(load("", fmt::format("<boundaryPhases>{}</boundaryPhases>", text)),
                          Contains(fmt::format("<boundaryPhases> '{}' is not known", text)));
}

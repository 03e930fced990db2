// Gauge fields and spinors in HDF5: what is written is read back bit for bit, files that the
// library made are read as meant, and damaged ones are refused.

#include "base/child_process.hpp"
#include "base/error.hpp"
#include "lattice/files/gauge_writer.hpp"
#include "lattice/files/spinor_writer.hpp"
#include "tests/lattice/corruption.hpp"
#include "tests/lattice/made_hdf5.hpp"
#include "tests/lattice/made_spinors.hpp"
#include "tests/scratch.hpp"
#include "tests/seed.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>
#include <random>
#include <unistd.h>

using namespace qcd;
using namespace qcd::test;
using Catch::Contains;

namespace
{

Numbers all_of(const SpinorFile& file, int number)
{
    const auto source = file.spinor(number);
    Numbers all(std::size_t(volume(made_spinor_lattice)) * 24);
    const auto [lx, ly, lz, lt] = made_spinor_lattice;
    for (int site = 0; site < lx * ly * lz * lt; ++site)
        source->site({site % lx, site / lx % ly, site / lx / ly % lz, site / lx / ly / lz},
                     &all[std::size_t(site) * 24]);
    return all;
}

std::string gauge_with(const std::function<void(Hdf5File&)>& change)
{
    Hdf5File file = hdf5_gauge_file(good_field(), 64);
    change(file);
    return file.bytes();
}

std::string spinors_with(const std::function<void(Hdf5File&)>& change)
{
    Hdf5File file =
        hdf5_spinor_file({random_spinor(made_spinor_lattice, 1)}, made_spinor_lattice, 64);
    change(file);
    return file.bytes();
}

/// Where the numbers are in the file.
std::size_t numbers_in(const std::string& bytes, const std::vector<double>& numbers)
{
    const std::size_t at = bytes.find(encode(numbers, 64, Order::little));
    REQUIRE(at != std::string::npos);
    return at;
}

const std::vector<Corruption>& gauge_files()
{
    static const std::vector<Corruption> table = {
        {"signature alone", [] { return gauge_with([](Hdf5File&) {}).substr(0, 8); },
         "damaged or truncated"},
        {"half", [] { return cut(gauge_with([](Hdf5File&) {}), 5000); }, "damaged or truncated"},
        {"another dataset", [] { return gauge_with([](Hdf5File& f) { f.dataset = "links"; }); },
         "no dataset 'gauge', but 'links'"},
        {"QDP++",
         [] {
             return gauge_with([](Hdf5File& f) {
                 f.dataset = "propagator";
                 f.of_matrices = true;
             });
         },
         "no dataset 'gauge', but 'propagator': fields as QDP++ and Chroma store them, which are "
         "read from their LIME files (QIO)"},
        {"no format", [] { return gauge_with([](Hdf5File& f) { f.remove("format"); }); },
         "without the attribute format"},
        {"another format",
         [] { return gauge_with([](Hdf5File& f) { f.texts[0].second = "qcd_starpu gauge 2"; }); },
         "without the attribute format"},
        {"names of the parts",
         [] { return gauge_with([](Hdf5File& f) { f.imaginary_name = "im"; }); },
         "no dataset of complex numbers"},
        {"chunks", [] { return gauge_with([](Hdf5File& f) { f.chunked = true; }); },
         "h5repack -l CONTI"},
        {"compressed", [] { return gauge_with([](Hdf5File& f) { f.compressed = true; }); },
         "h5repack -l CONTI"},
        {"two colours", [] { return gauge_with([](Hdf5File& f) { f.shape[6] = 2; }); },
         "a dataset of shape [2, 2, 4, 2, 4, 3, 2]"},
        {"mu first",
         [] { return gauge_with([](Hdf5File& f) { f.shape = {4, 2, 2, 4, 2, 3, 3}; }); },
         "a dataset of shape"},
        {"six indices", [] { return gauge_with([](Hdf5File& f) { f.shape.pop_back(); }); },
         "a dataset of shape"},
        {"odd extent", [] { return gauge_with([](Hdf5File& f) { f.shape[0] = 1; }); },
         "extent t of 2x4x2x1 must be even"},
        {"one sum", [] { return gauge_with([](Hdf5File& f) { f.values[0].second = {1}; }); },
         "attribute checksum of 1 numbers, expected 2"},
        {"wrong sum", [] { return gauge_with([](Hdf5File& f) { f.values[0].second[1] ^= 1; }); },
         "wrong SciDAC checksum"},
        {"one bit",
         [] {
             const std::string bytes = gauge_with([](Hdf5File&) {});
             return flipped(bytes, numbers_in(bytes, good_field().links));
         },
         "wrong SciDAC checksum"},
        {"not unitary", [] { return hdf5_gauge_file(with(18, 0.9), 64).bytes(); },
         "link y is not unitary"},
        {"spinors", [] { return spinors_with([](Hdf5File&) {}); },
         "no dataset 'gauge', but 'spinors'"},
    };
    return table;
}

const std::vector<Corruption>& spinor_files()
{
    static const std::vector<Corruption> table = {
        {"a gauge field", [] { return gauge_with([](Hdf5File&) {}); }, "no dataset 'spinors'"},
        {"another lattice",
         [] { return spinors_with([](Hdf5File& f) { std::swap(f.shape[3], f.shape[4]); }); },
         "the file's lattice is 2x4x6x2"},
        {"no spinor",
         [] {
             return spinors_with([](Hdf5File& f) {
                 f.shape[0] = 0;
                 f.numbers.clear();
             });
         },
         "HDF5: "},
        {"unknown basis",
         [] { return spinors_with([](Hdf5File& f) {
                  f.texts.push_back({"spin_basis", "x"});
              }); },
         "spin_basis 'x' is not known"},
        {"unknown phases",
         [] {
             return spinors_with([](Hdf5File& f) {
                 f.texts.push_back({"boundary_phases", "spread"});
             });
         },
         "boundary_phases 'spread' is not known"},
        {"a propagator of one",
         [] { return spinors_with([](Hdf5File& f) {
                  f.values.push_back({"propagator", {1}});
              }); },
         "a propagator of 1 spinors"},
        {"two digests",
         [] { return spinors_with([](Hdf5File& f) {
                  f.values.push_back({"digest", {1, 2}});
              }); },
         "attribute digest of 2 numbers"},
        {"wrong digest",
         [] { return spinors_with([](Hdf5File& f) {
                  f.values.push_back({"digest", {1}});
              }); },
         "wrong digest: the file says 0000000000000001"},
        {"wrong sum", [] { return spinors_with([](Hdf5File& f) { f.values[0].second[0] ^= 1; }); },
         "wrong SciDAC checksum"},
        {"NaN", [] { return spinors_with([](Hdf5File& f) { f.numbers[30] = not_a_number; }); },
         "site (1,0,0,0): a number is not finite"},
    };
    return table;
}

} // namespace

TEST_CASE("HDF5 gauge files of the library's own are read", "[gauge file][hdf5]")
{
    const int bits = GENERATE(32, 64);
    const Order order = GENERATE(Order::big, Order::little);
    Field field = load_spec("random:4", {4, 2, 6, 8});
    if (bits == 32) field.links = rounded(field.links);
    Hdf5File file = hdf5_gauge_file(field, bits, order);
    SECTION("with a checksum") {}
    SECTION("with texts as h5py writes them") { file.variable_texts = true; }
    SECTION("with attributes more")
    {
        file.texts.push_back({"ensemble", ""});
        file.values.push_back({"trajectory", {1, 2, 3}});
    }
    SECTION("without a checksum") { file.remove("checksum"); }
    CHECK(load_bytes(file.bytes()).links == field.links);
    CHECK(load_bytes(file.bytes()).lattice == field.lattice);
}

TEST_CASE("a written HDF5 gauge file holds the links in site order, and is the same each time",
          "[gauge file][hdf5]")
{
    const Scratch folder;
    const Field field = load_spec("random:4", {4, 2, 6, 8});
    const std::size_t slice = field.links.size() / 8;
    for (const char* name : {"a.h5", "b.hdf5"}) {
        const auto writer = make_gauge_writer(folder / name, field.lattice, 64);
        for (int t = 0; t < 8; ++t)
            writer->write_slice(t, std::span(field.links).subspan(std::size_t(t) * slice, slice));
        writer->finish(field.observables);
    }
    const std::string bytes = read_text(folder / "a.h5");
    CHECK(bytes == read_text(folder / "b.hdf5"));
    CHECK(numbers_in(bytes, field.links) > 0);
    const auto source = open_gauge(folder / "a.h5", std::nullopt);
    CHECK(source->format() == "HDF5, 64 bits");
    CHECK_FALSE(source->checksum().empty());
}

TEST_CASE("spinors go to HDF5 in every basis and precision, and come back", "[spinor file][hdf5]")
{
    const int bits = GENERATE(32, 64);
    const auto basis = GENERATE(SpinBasis::degrand_rossi, SpinBasis::dirac, SpinBasis::chiral);
    const Scratch folder;
    Numbers psi = random_spinor(made_spinor_lattice, 3);
    if (bits == 32) psi = rounded(psi);
    const auto writer = make_spinor_writer(
        folder / "f.h5", {made_spinor_lattice, bits, basis, 1, false, "one\nline"});
    for (std::size_t site = 0; site < psi.size(); site += 24) writer->add_site(&psi[site]);
    writer->finish();
    const SpinorFile file = open_spinor_file(folder / "f.h5", made_spinor_lattice);
    file.verify();
    CHECK(file.basis() == basis);
    CHECK(file.bits() == bits);
    REQUIRE(file.spinors() == 1);
    const Numbers back = all_of(file, 0);
    if (basis != SpinBasis::dirac) CHECK(back == psi);
    for (std::size_t i = 0; i < psi.size(); ++i)
        REQUIRE(std::abs(back[i] - psi[i]) < (bits == 64 ? 1e-14 : 1e-6));
}

TEST_CASE("a propagator goes to HDF5 and comes back", "[spinor file][hdf5]")
{
    const Scratch folder;
    const std::vector<Numbers> all = random_propagator(made_spinor_lattice, 3);
    const auto writer = make_spinor_writer(
        folder / "f.h5", {made_spinor_lattice, 64, SpinBasis::degrand_rossi, 12, true, ""});
    for (const Numbers& psi : all)
        for (std::size_t site = 0; site < psi.size(); site += 24) writer->add_site(&psi[site]);
    writer->finish();
    const SpinorFile file = open_spinor_file(folder / "f.h5", made_spinor_lattice);
    file.verify();
    CHECK(file.is_propagator());
    REQUIRE(file.spinors() == 12);
    for (int source = 0; source < 12; ++source) CHECK(all_of(file, source) == all[source]);
}

TEST_CASE("HDF5 spinors of the library's own are read", "[spinor file][hdf5]")
{
    const int bits = GENERATE(32, 64);
    std::vector<Numbers> all{random_spinor(made_spinor_lattice, 3),
                             random_spinor(made_spinor_lattice, 4)};
    if (bits == 32)
        for (Numbers& psi : all) psi = rounded(psi);
    Hdf5File made = hdf5_spinor_file(all, made_spinor_lattice, bits);
    const SpinorFile file = open_spinors(made.bytes());
    file.verify();
    REQUIRE(file.spinors() == 2);
    CHECK(all_of(file, 1) == all[1]);
    CHECK(file.basis() == SpinBasis::degrand_rossi);
    made.texts.push_back({"spin_basis", "chiral"});
    Numbers expected = all[0];
    for (std::size_t site = 0; site < expected.size(); site += 24)
        rotate(to_degrand_rossi(SpinBasis::chiral), &expected[site]);
    CHECK(all_of(open_spinors(made.bytes()), 0) == expected);
}

TEST_CASE("corrupted HDF5 files are refused", "[corrupt][hdf5]")
{
    CHECK(load_bytes(gauge_with([](Hdf5File&) {})).links == good_field().links);
    check_all_refused(gauge_files());
    const auto load = [](const std::string& bytes) { open_spinors(bytes).verify(); };
    CHECK_NOTHROW(load(spinors_with([](Hdf5File&) {})));
    check_all_refused(spinor_files(), load);
}

TEST_CASE("an HDF5 file cut anywhere is refused", "[corrupt][hdf5]")
{
    const std::string bytes = gauge_with([](Hdf5File&) {});
    for (std::size_t size = 8; size < bytes.size(); size += 97)
        CHECK_THROWS_AS(load_bytes(bytes.substr(0, size)), Error);
}

TEST_CASE("a damaged HDF5 file is refused, or gives the links, whatever the library does",
          "[corrupt][hdf5]")
{
    const std::string bytes = gauge_with([](Hdf5File&) {});
    const std::size_t begin = numbers_in(bytes, good_field().links);
    std::mt19937 random(seed(3));
    const auto check = [&](const std::string& damaged) {
        try {
            const Field field = load_bytes(damaged);
            CHECK(field.links == good_field().links);
        } catch (const Error& error) {
            CHECK(std::string(error.what()).starts_with("made: "));
        }
    };
    for (int i = 0; i < 300; ++i) {
        std::string damaged = bytes;
        for (int flips = 1 + int(random() % 3); flips > 0; --flips) {
            std::size_t at = 8 + random() % (bytes.size() - 8 - good_field().links.size() * 8);
            if (at >= begin) at += good_field().links.size() * 8;
            damaged[at] = char(random());
        }
        check(damaged);
    }
}

TEST_CASE("a computation in a child process returns, fails, crashes or is stopped", "[hdf5]")
{
    const std::string large(1 << 20, 'x');
    CHECK(in_child_process([&] { return large; }, 60) == large);
    CHECK(in_child_process([] { return std::string(); }, 60) == "");
    CHECK_THROWS_WITH(in_child_process([]() -> std::string { throw Error("so"); }, 60), "so");
    CHECK_FALSE(in_child_process([]() -> std::string { std::abort(); }, 60));
    CHECK_FALSE(in_child_process([]() -> std::string { throw std::bad_alloc(); }, 60));
    CHECK_FALSE(in_child_process(
        []() -> std::string {
            for (;;) pause();
        },
        1));
}

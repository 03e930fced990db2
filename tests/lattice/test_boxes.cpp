// A field that is read in boxes, in any order, is the field that is read slice by slice; and no
// byte of a file is read that was not asked for.

#include "base/error.hpp"
#include "lattice/files/gauge_file.hpp"
#include "lattice/link.hpp"
#include "tests/lattice/made_files.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <random>

using namespace qcd;
using namespace qcd::test;
using Catch::Contains;

namespace
{

constexpr Extents box_lattice{4, 6, 2, 8};

/// Unequal boxes that cover the lattice once, shuffled: cut at odd places, too.
std::vector<Box> shuffled_boxes(const Extents& lattice, unsigned seed)
{
    std::vector<Box> boxes{{{}, lattice}};
    for (int mu = 0; mu < 4; ++mu) {
        std::vector<Box> halves;
        for (const Box& b : boxes) {
            const int cut = 1 + int((seed + b.lower[0] + b.lower[1]) % (b.extents[mu] - 1));
            Box low = b, high = b;
            low.extents[mu] = cut;
            high.lower[mu] += cut;
            high.extents[mu] -= cut;
            halves.push_back(low);
            halves.push_back(high);
        }
        boxes = halves;
    }
    std::shuffle(boxes.begin(), boxes.end(), std::mt19937(seed));
    return boxes;
}

std::vector<double> read_box(GaugeSource& source, const Box& box)
{
    std::vector<double> links(volume(box) * links::reals_per_site);
    source.read_box(box, links);
    return links;
}

/// The whole field, put together from boxes.
std::vector<double> load_boxes(GaugeSource& source, const std::vector<Box>& boxes)
{
    const Extents lattice = source.extents();
    std::vector<double> field(volume(lattice) * links::reals_per_site, 99);
    for (const Box& box : boxes) {
        const std::vector<double> links = read_box(source, box);
        for (long i = 0; i < volume(box); ++i)
            std::copy_n(&links[72 * i], 72, &field[72 * site_number(lattice, box, i)]);
    }
    return field;
}

std::unique_ptr<GaugeSource> open_made(const std::string& bytes)
{
    const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
    return open_gauge_file(
        memory_bytes("made", std::vector<std::byte>(begin, begin + bytes.size())), std::nullopt);
}

struct Reads {
    long count = 0, bytes = 0;
};

/// Bytes that count how they are read.
class CountedBytes : public FileBytes
{
public:
    CountedBytes(std::string bytes, Reads& reads)
        : FileBytes("counted", bytes.size()), bytes_(std::move(bytes)), reads_(reads)
    {
    }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        ++reads_.count;
        reads_.bytes += long(out.size());
        std::memcpy(out.data(), &bytes_.at(offset), out.size());
    }

private:
    std::string bytes_;
    Reads& reads_;
};

} // namespace

TEST_CASE("a box knows its sites and its runs", "[gauge box]")
{
    const Extents l{4, 6, 2, 8};
    CHECK(site_number(l, {{1, 2, 1, 3}, {2, 3, 1, 2}}, 0) == ((3 * 2 + 1) * 6 + 2) * 4 + 1);
    CHECK(site_number(l, {{1, 2, 1, 3}, {2, 3, 1, 2}}, 7) == ((4 * 2 + 1) * 6 + 2) * 4 + 2);
    for (const Box& box : {Box{{}, l}, Box{{1, 2, 1, 3}, {2, 3, 1, 2}}}) {
        long i = 0;
        for_each_site(box, [&](const Coord& x) {
            CHECK(x == coordinates(l, site_number(l, box, i)));
            ++i;
        });
        CHECK(i == volume(box));
    }
    CHECK(run_length(l, {{}, l}) == 4 * 6 * 2 * 8);
    CHECK(run_length(l, time_slice(l, 3)) == 4 * 6 * 2);
    CHECK(run_length(l, {{0, 1, 0, 0}, {4, 5, 2, 2}}) == 4 * 5);
    CHECK(run_length(l, {{1, 0, 0, 0}, {3, 6, 2, 8}}) == 3);
    CHECK(overlap({{}, l}, {{3, 5, 1, 7}, {1, 1, 1, 1}}));
    CHECK_FALSE(overlap({{0, 0, 0, 0}, {2, 6, 2, 8}}, {{2, 0, 0, 0}, {2, 6, 2, 8}}));
}

TEST_CASE("generated fields have the same bits in any box", "[gauge box]")
{
    const std::string spec = GENERATE("unit", "random:4", "weak:0.2", "gen:3,1");
    const auto source = open_gauge(spec, box_lattice);
    CHECK(load_boxes(*source, shuffled_boxes(box_lattice, 3)) ==
          load_spec(spec, box_lattice).links);
    CHECK_NOTHROW(read_box(*source, {{1, 1, 1, 1}, {2, 2, 1, 2}})); // again
}

TEST_CASE("files read in boxes of any order have the same links and checksums", "[gauge box]")
{
    const unsigned seed = GENERATE(1, 2, 3, 4, 5);
    const Field field = load_spec("random:4", box_lattice);
    NerscFile nersc = nersc_file(field, 3, 64, Order::little, "IEEE64LITTLE");
    LimeFile ildg = ildg_file(field, 64);
    const std::vector<Box> boxes = shuffled_boxes(box_lattice, seed);
    for (const std::string& bytes : {nersc.bytes(), ildg.bytes()}) {
        const auto source = open_made(bytes);
        CHECK(load_boxes(*source, boxes) == field.links);
        CHECK_NOTHROW(source->finish(field.observables));
    }
    nersc["CHECKSUM"] = "1";
    ildg["scidac-checksum"].data = "<scidacChecksum><version>1.0</version><suma>1</suma>"
                                   "<sumb>2</sumb></scidacChecksum>";
    for (const std::string& bytes : {nersc.bytes(), ildg.bytes()}) {
        const auto source = open_made(bytes);
        load_boxes(*source, boxes);
        CHECK_THROWS_WITH(source->finish(field.observables), Contains("checksum"));
    }
}

TEST_CASE("a part of a file is read alone and not compared with the whole", "[gauge box]")
{
    const Field field = load_spec("random:4", box_lattice);
    NerscFile file = nersc_file(field, 2, 64, Order::big, "IEEE64BIG");
    file["CHECKSUM"] = "1";
    const auto source = open_made(file.bytes());
    const Box box{{1, 2, 0, 3}, {2, 3, 2, 4}};
    CHECK(read_box(*source, box) == read_box(*open_gauge("random:4", box_lattice), box));
    CHECK_NOTHROW(source->finish({}));
}

TEST_CASE("a box larger than what is read at once is read whole", "[gauge box]")
{
    const Extents wide{24, 16, 14, 2};
    const Field field = load_spec("gen:2,1", wide);
    const auto source = open_made(ildg_file(field, 64).bytes());
    CHECK(load_boxes(*source, {{{1, 0, 0, 0}, {23, 16, 14, 2}}, {{0, 0, 0, 0}, {1, 16, 14, 2}}}) ==
          field.links);
    CHECK_NOTHROW(source->finish(field.observables));
}

TEST_CASE("no byte is read that is not in the box, and runs are read at once", "[gauge box]")
{
    const Field field = load_spec("weak:0.1", box_lattice);
    Reads reads;
    const auto source = open_gauge_file(
        std::make_unique<CountedBytes>(ildg_file(field, 64).bytes(), reads), std::nullopt);
    const auto check = [&](const Box& box, long runs) {
        const Reads before = reads;
        read_box(*source, box);
        CHECK(reads.bytes - before.bytes == volume(box) * 576);
        CHECK(reads.count - before.count == runs);
    };
    check(time_slice(box_lattice, 5), 1);
    check({{0, 1, 0, 0}, {4, 5, 2, 2}}, 2 * 2);
    check({{1, 0, 0, 6}, {3, 6, 2, 1}}, 6 * 2);
}

TEST_CASE("boxes outside the lattice, of another size, or read before are refused", "[gauge box]")
{
    const Scratch folder;
    const Field field = load_spec("weak:0.1", box_lattice);
    write_text(folder / "f", ildg_file(field, 64).bytes());
    for (const std::string& name : {std::string("weak:0.1"), folder / "f"}) {
        const auto source = open_gauge(name, box_lattice);
        for (const Box& box :
             {Box{{3, 0, 0, 0}, {2, 2, 2, 2}}, Box{{0, 0, 0, -1}, {2, 2, 2, 2}},
              Box{{0, 0, 0, 0}, {2, 2, 0, 2}}, Box{{0, 0, 2147483647, 0}, {1, 1, 2, 1}}}) {
            std::vector<double> links(16 * 72);
            CHECK_THROWS_WITH(source->read_box(box, links), Contains("the lattice is 4x6x2x8"));
        }
        std::vector<double> few(72);
        CHECK_THROWS_WITH(source->read_box({{}, {2, 1, 1, 1}}, few), Contains("144 reals, not 72"));
    }
    const auto source = open_gauge(folder / "f", box_lattice);
    read_box(*source, {{1, 1, 0, 2}, {2, 2, 2, 2}});
    CHECK_THROWS_WITH(read_box(*source, {{2, 2, 1, 3}, {2, 2, 1, 2}}), Contains("read before"));
    CHECK_NOTHROW(read_box(*source, {{3, 2, 1, 3}, {1, 2, 1, 2}}));
}

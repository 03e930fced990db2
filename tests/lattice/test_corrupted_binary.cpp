// MILC, openQCD and SZIN files that must be refused, each with the reason. All are made here.

#include "base/error.hpp"
#include "tests/lattice/corruption.hpp"

#include <catch2/catch.hpp>

using namespace qcd;
using namespace qcd::test;
using Catch::Contains;

namespace
{

Field in_single(Field field)
{
    field.links = rounded(field.links);
    return field;
}

MilcFile milc(const Field& made = good_field()) { return milc_file(in_single(made), Order::big); }

std::string milc_with(const std::function<void(MilcFile&)>& change)
{
    MilcFile file = milc();
    change(file);
    return file.bytes();
}

std::string openqcd_with(const std::function<void(OpenqcdFile&)>& change)
{
    OpenqcdFile file = openqcd_file(good_field());
    change(file);
    return file.bytes();
}

std::string szin_with(const std::function<void(SzinFile&)>& change,
                      const Field& made = good_field())
{
    SzinFile file = szin_file(in_single(made));
    change(file);
    return file.bytes();
}

const std::vector<Corruption>& milc_files()
{
    static const std::vector<Corruption> table = {
        {"header cut", [] { return milc().bytes().substr(0, 95); },
         "truncated: a MILC header has 96 bytes"},
        {"signature alone", [] { return milc().bytes().substr(0, 4); }, "truncated: a MILC header"},
        {"links cut", [] { return cut(milc().bytes(), 1); }, "truncated: 9215 bytes of links"},
        {"no links", [] { return milc().bytes().substr(0, 96); }, "truncated: 0 bytes of links"},
        {"trailing byte", [] { return milc().bytes() + 'x'; }, "trailing bytes: 9217 bytes"},
        {"64 bits",
         [] {
             return milc_with(
                 [](MilcFile& f) { f.data = encode(good_field().links, 64, Order::big); });
         },
         "trailing bytes"},
        {"odd extent", [] { return milc_with([](MilcFile& f) { f.extents[1] = 5; }); },
         "extent y of 2x5x2x2 must be even"},
        {"extent 0", [] { return milc_with([](MilcFile& f) { f.extents[3] = 0; }); }, "extent t"},
        {"huge extent", [] { return milc_with([](MilcFile& f) { f.extents[0] = 0xfffffffe; }); },
         "extent x"},
        {"too large",
         [] { return milc_with([](MilcFile& f) {
                  f.extents = {4096, 4096, 4096, 2};
              }); }, "sites"},
        {"larger lattice", [] { return milc_with([](MilcFile& f) { f.extents[2] = 4; }); },
         "truncated"},
        {"checkpoint", [] { return milc_with([](MilcFile& f) { f.sites_order = 1; }); },
         "a MILC checkpoint"},
        {"sum29", [] { return milc_with([](MilcFile& f) { f.sum29 ^= 1; }); },
         "wrong MILC checksum: the header says"},
        {"sum31", [] { return milc_with([](MilcFile& f) { f.sum31 ^= 1; }); },
         "wrong MILC checksum"},
        {"sums exchanged",
         [] { return milc_with([](MilcFile& f) { std::swap(f.sum29, f.sum31); }); },
         "wrong MILC checksum"},
        {"one bit", [] { return milc_with([](MilcFile& f) { f.data = flipped(f.data, 3); }); },
         "wrong MILC checksum"},
        {"links exchanged",
         [] {
             return milc_with([](MilcFile& f) {
                 f.data = milc_file(in_single(with_exchanged_links()), f.order).data;
             });
         },
         "wrong MILC checksum"},
        {"byte order of the links",
         [] {
             return milc_with(
                 [](MilcFile& f) { f.data = encode(good_field().links, 32, Order::little); });
         },
         "only when read as little-endian, the format says big"},
        {"NaN", [] { return milc(with(18, not_a_number)).bytes(); },
         "site (0,0,0,0): link y is not finite"},
        {"not unitary", [] { return milc(with(18, 0.9)).bytes(); }, "link y is not unitary"},
        {"determinant -1", [] { return milc(with_negative_link(3)).bytes(); }, "determinant"},
    };
    return table;
}

const std::vector<Corruption>& openqcd_files()
{
    constexpr const char* unknown = "not a gauge file";
    static const std::vector<Corruption> table = {
        {"header cut", [] { return openqcd_with([](auto&) {}).substr(0, 23); }, unknown},
        {"no links", [] { return openqcd_with([](auto&) {}).substr(0, 24); },
         "truncated: 0 bytes of links"},
        {"links cut", [] { return cut(openqcd_with([](auto&) {}), 1); }, "truncated"},
        {"trailing byte", [] { return openqcd_with([](auto&) {}) + 'x'; }, "trailing bytes"},
        {"extents exchanged",
         [] { return openqcd_with([](auto& f) { std::swap(f.extents[0], f.extents[2]); }); },
         "wrong plaquette"},
        {"odd extent", [] { return openqcd_with([](auto& f) { f.extents[0] = 3; }); },
         "extent t of 2x4x2x3 must be even"},
        {"extent 0", [] { return openqcd_with([](auto& f) { f.extents[0] = 0; }); }, unknown},
        {"negative extent", [] { return openqcd_with([](auto& f) { f.extents[0] = 0xfffffffe; }); },
         unknown},
        {"plaquette off", [] { return openqcd_with([](auto& f) { f.plaquette += 1e-8; }); },
         "wrong plaquette: the header says"},
        {"plaquette of one, not three",
         [] { return openqcd_with([](auto& f) { f.plaquette /= 3; }); }, "wrong plaquette"},
        {"plaquette NaN", [] { return openqcd_with([](auto& f) { f.plaquette = not_a_number; }); },
         unknown},
        {"plaquette 4", [] { return openqcd_with([](auto& f) { f.plaquette = 4; }); }, unknown},
        {"links exchanged",
         [] {
             return openqcd_with(
                 [](auto& f) { f.data = openqcd_file(with_exchanged_links()).data; });
         },
         "wrong plaquette"},
        {"big-endian links",
         [] {
             return openqcd_with([](auto& f) {
                 for (std::size_t i = 0; i < f.data.size(); i += 8)
                     std::reverse(f.data.begin() + long(i), f.data.begin() + long(i) + 8);
             });
         },
         "only when read as big-endian, the format says little"},
        {"NaN", [] { return openqcd_file(with(18, not_a_number)).bytes(); },
         "link y is not finite"},
        {"not unitary", [] { return openqcd_file(with(18, 0.9)).bytes(); },
         "link y is not unitary"},
        {"determinant -1", [] { return openqcd_file(with_negative_link(3)).bytes(); },
         "determinant"},
    };
    return table;
}

const std::vector<Corruption>& szin_files()
{
    constexpr const char* unknown = "not a gauge file";
    static const auto unchanged = [](SzinFile&) {};
    static const std::vector<Corruption> table = {
        {"sizes alone", [] { return szin_with(unchanged).substr(0, 12); }, unknown},
        {"parameters cut", [] { return szin_with(unchanged).substr(0, 4 * (3 + 11 + 4 + 8)); },
         "truncated: this SZIN header has"},
        {"header cut",
         [] { return szin_with([](SzinFile& f) { f.data.clear(); }).substr(0, 3000); },
         "truncated: this SZIN header has"},
        {"no links", [] { return szin_with([](SzinFile& f) { f.data.clear(); }); },
         "truncated: 0 bytes of links"},
        {"links cut", [] { return cut(szin_with(unchanged), 1); }, "truncated: 9215 bytes"},
        {"trailing byte", [] { return szin_with(unchanged) + 'x'; }, "trailing bytes: 9217"},
        {"64 bits", [] { return szin_with([](SzinFile& f) { f.data += f.data; }); },
         "trailing bytes"},
        {"no date", [] { return szin_with([](SzinFile& f) { f.date.clear(); }); }, unknown},
        {"long date", [] { return szin_with([](SzinFile& f) { f.date.resize(100); }); }, unknown},
        {"long banner", [] { return szin_with([](SzinFile& f) { f.banner.resize(10000); }); },
         unknown},
        {"version 0", [] { return szin_with([](SzinFile& f) { f.version = 0; }); }, unknown},
        {"version 8", [] { return szin_with([](SzinFile& f) { f.version = 8; }); }, unknown},
        {"another version", [] { return szin_with([](SzinFile& f) { f.version = 6; }); }, "extent"},
        {"three dimensions", [] { return szin_with([](SzinFile& f) { f.dimensions = 3; }); },
         unknown},
        {"two colours", [] { return szin_with([](SzinFile& f) { f.colours = 2; }); }, unknown},
        {"odd extent", [] { return szin_with([](SzinFile& f) { f.extents[1] = 5; }); },
         "extent y of 2x5x2x2 must be even"},
        {"extent 0", [] { return szin_with([](SzinFile& f) { f.extents[3] = 0; }); }, "extent t"},
        {"huge extent", [] { return szin_with([](SzinFile& f) { f.extents[0] = 0xfffffffe; }); },
         "extent x"},
        {"larger lattice", [] { return szin_with([](SzinFile& f) { f.extents[2] = 4; }); },
         "truncated"},
        {"little-endian links",
         [] {
             return szin_with([](SzinFile& f) {
                 for (std::size_t i = 0; i < f.data.size(); i += 4)
                     std::reverse(f.data.begin() + long(i), f.data.begin() + long(i) + 4);
             });
         },
         "only when read as little-endian, the format says big"},
        {"NaN", [] { return szin_with(unchanged, with(18, not_a_number)); },
         "site (0,0,0,0): link y is not finite"},
        {"not unitary", [] { return szin_with(unchanged, with(18, 0.9)); },
         "link y is not unitary"},
        {"determinant -1", [] { return szin_with(unchanged, with_negative_link(3)); },
         "determinant"},
    };
    return table;
}

} // namespace

TEST_CASE("the binary files that are corrupted here are otherwise good", "[corrupt]")
{
    CHECK(load_bytes(milc().bytes()).links == rounded(good_field().links));
    CHECK(load_bytes(openqcd_file(good_field()).bytes()).links == good_field().links);
    CHECK(load_bytes(szin_file(good_field()).bytes()).links == rounded(good_field().links));
}

TEST_CASE("corrupted MILC files are refused", "[corrupt]") { check_all_refused(milc_files()); }
TEST_CASE("corrupted openQCD files are refused", "[corrupt]")
{
    check_all_refused(openqcd_files());
}

TEST_CASE("corrupted SZIN files are refused", "[corrupt]") { check_all_refused(szin_files()); }

TEST_CASE("a MILC, openQCD or SZIN file cut anywhere is refused", "[corrupt]")
{
    check_truncations_refused(milc().bytes());
    check_truncations_refused(openqcd_file(good_field()).bytes());
    check_truncations_refused(szin_file(good_field()).bytes());
}

TEST_CASE("no flipped bit of a MILC link passes unseen", "[corrupt]")
{
    const std::string bytes = milc().bytes();
    for (std::size_t at = 96; at < bytes.size(); at += 5)
        CHECK_THROWS_AS(load_bytes(flipped(bytes, at)), Error);
}

// The hopping term and the packing of its halo, on every backend and many tilings, against the
// plain reference.

#include "codelets/coefficients/layout.h"
#include "codelets/device/faces.h"
#include "codelets/hopping/args.h"
#include "codelets/pack_faces/args.h"
#include "tests/codelets/lattice_tiles.hpp"
#include "tests/codelets/sums.hpp"
#include "tests/reference/dirac.hpp"

#include <catch2/catch.hpp>

using namespace qcd;
using namespace qcd::test;
using ref::Complex;
using ref::Links;
using ref::Spinors;

namespace
{

struct Cutting {
    Extents lattice;
    std::array<std::vector<int>, 4> thickness;
};

/// Tiles of one block and of many; few lanes used and all; lanes over directions with and without
/// faces.
Cutting cuttings()
{
    return GENERATE(
        Cutting{{2, 2, 2, 2}, {{{2}, {2}, {2}, {2}}}},
        Cutting{{4, 4, 4, 4}, {{{2, 2}, {2, 2}, {2, 2}, {2, 2}}}},
        Cutting{{6, 10, 4, 2}, {{{6}, {10}, {4}, {2}}}},
        Cutting{{12, 2, 6, 4}, {{{6, 4, 2}, {2}, {4, 2}, {2, 2}}}},
        Cutting{{4, 6, 2, 8}, {{{4}, {2, 2, 2}, {2}, {8}}}},
        Cutting{{8, 8, 8, 4}, {{{8}, {8}, {8}, {4}}}},
        Cutting{{8, 4, 4, 8}, {{{8}, {4}, {4}, {4, 4}}}},
        Cutting{{4, 2, 2, 16}, {{{2, 2}, {2}, {2}, {8, 8}}}},    // 4 lanes along the cut t
        Cutting{{16, 16, 2, 2}, {{{8, 8}, {8, 8}, {2}, {2}}}},   // 16 lanes, x and y cut
        Cutting{{16, 8, 8, 2}, {{{8, 8}, {4, 4}, {4, 4}, {2}}}}, // 16 lanes, x, y and z cut
        Cutting{{10, 4, 12, 2}, {{{2, 8}, {4}, {12}, {2}}}});
}

std::string name_of(const Cutting& c)
{
    const auto& t = c.thickness;
    return fmt::format("{} cut in {}; {}; {}; {}", to_string(c.lattice), fmt::join(t[0], " "),
                       fmt::join(t[1], " "), fmt::join(t[2], " "), fmt::join(t[3], " "));
}

/// Input of a hop on tiles, rounded to the stored precision, and the same for the reference.
template <class P>
struct Data {
    using Real = typename P::Real;
    Data(const Cutting& c, int parity)
        : tiling(c.lattice, c.thickness), parity(parity),
          psi(rounded<Real>(ref::det_spinor(c.lattice, 1))),
          v(rounded<Real>(ref::det_spinor(c.lattice, 2))),
          u(rounded<Real>(ref::det_spinor(c.lattice, 3))),
          links(rounded<Real>(ref::gen_gauge(c.lattice, 4, 0.3))),
          psi_tiles(spinor_tiles<Real>(tiling, 1 - parity, psi)),
          v_tiles(spinor_tiles<Real>(tiling, parity, v)),
          u_tiles(spinor_tiles<Real>(tiling, parity, u)),
          here(link_tiles<Real>(tiling, parity, links)),
          there(link_tiles<Real>(tiling, 1 - parity, links))
    {
    }

    Spinors hopping() const
    {
        return ref::only_parity(tiling.lattice(),
                                ref::hopping({tiling.lattice(), links, 0, 0, false}, psi), parity);
    }

    Tiling tiling;
    int parity; // of the result
    Spinors psi, v, u;
    Links links;
    Tiles<Real> psi_tiles, v_tiles, u_tiles, here, there;
};

/// [8*tile + 2*mu + upper]: what every tile sends.
template <class P>
Tiles<typename P::Math> pack(const Data<P>& d, const Backend& backend, const Slot& gate = absent)
{
    using Math = typename P::Math;
    Tiles<Math> faces(8 * d.tiling.tile_count());
    for (int tile = 0; tile < d.tiling.tile_count(); ++tile) {
        const tile_shape& g = d.tiling.shape(tile);
        if (packed_blocks(g) == 0) continue;
        std::vector<Slot> slots = {in(d.psi_tiles[tile]), in(d.there[tile]), gate};
        for (int face = 0; face < 8; ++face)
            if (g.cut[face / 2]) {
                faces[8 * tile + face] = poisoned<Math>(face_blocks(g, face / 2) * 12 * 32);
                slots.push_back(out(faces[8 * tile + face]));
            } else
                slots.push_back(absent);
        backend.run(op::pack_faces, P::precision, pack_faces_args{g, 1 - d.parity}, slots);
    }
    return faces;
}

/// A hop on all tiles. Sums and results of `parts` (one or two tasks a tile).
template <class P>
struct Hopped {
    Tiles<typename P::Real> out;
    std::vector<Buffer<i64>> sums; ///< canonical after a hop
};

struct Terms {
    chiral a{}, b{1, 0, 1, 0};
    bool v = false, u = false, store = true;
    int sums = 0, stream = 0;
};

template <class P>
void hop(const Data<P>& d, const Backend& backend, const Tiles<typename P::Math>& faces,
         const Terms& terms, int part, Hopped<P>& result, const Slot& gate = absent)
{
    for (int tile = 0; tile < d.tiling.tile_count(); ++tile) {
        hopping_args args{};
        args.shape = d.tiling.shape(tile);
        args.parity = d.parity;
        args.part = part;
        args.sums = terms.sums;
        args.add_u = terms.u;
        args.stream = terms.stream;
        args.a = terms.a;
        args.b = terms.b;
        std::vector<Slot> slots = {terms.store ? out(result.out[tile]) : absent,
                                   in(d.psi_tiles[tile]),
                                   in(d.here[tile]),
                                   in(d.there[tile]),
                                   terms.v ? in(d.v_tiles[tile]) : absent,
                                   terms.u ? in(d.u_tiles[tile]) : absent,
                                   terms.sums ? out(result.sums[tile]) : absent,
                                   gate};
        for (int face = 0; face < 8 && part != QCD_HOPPING_INTERIOR; ++face) {
            const int sender = d.tiling.neighbour(tile, face / 2, face % 2 ? -1 : +1);
            slots.push_back(args.shape.cut[face / 2] ? in(faces[8 * sender + face]) : absent);
        }
        backend.run(op::hopping, P::precision, args, slots);
        if (terms.sums) result.sums[tile] = canonical(result.sums[tile]);
    }
}

template <class P>
Hopped<P> unwritten(const Data<P>& d)
{
    return {poisoned_tiles<typename P::Real>(d.tiling),
            std::vector<Buffer<i64>>(d.tiling.tile_count(), poisoned_sums())};
}

template <class T>
std::vector<char> bytes_of_tiles(const Tiles<T>& tiles)
{
    std::vector<char> all;
    for (const auto& t : tiles) {
        const auto bytes = bytes_of(t);
        all.insert(all.end(), bytes.begin(), bytes.end());
    }
    return all;
}

/// out = a v + b H psi + u of the reference.
template <class P>
Spinors expected_result(const Data<P>& d, const Terms& terms)
{
    const auto factor = [](const chiral& c, const Spinors& s) {
        Spinors z(s.size());
        for (std::size_t k = 0; k < s.size(); ++k)
            z[k] = s[k] * (k % 12 < 6 ? Complex(c.up_re, c.up_im) : Complex(c.down_re, c.down_im));
        return z;
    };
    Spinors z = factor(terms.b, d.hopping());
    if (terms.v) z = ref::combine(1, z, 1, factor(terms.a, d.v));
    if (terms.u) z = ref::combine(1, z, 1, d.u);
    return ref::only_parity(d.tiling.lattice(), z, d.parity);
}

/// A component of H psi is the sum of 8 x 3 products of a link and two components: a few units for
/// each rounding of a sum whose partial sums stay below 8.
template <class P>
constexpr double hop_error = eps<P>(16);

void check_value(const std::vector<Buffer<i64>>& sums, int i, double expected, double bound)
{
    Buffer<i64> all(sum_words);
    for (const auto& s : sums)
        for (int word = 0; word < sum_words; ++word) all[word] += s[word];
    CHECK(std::abs(value_of(all, i) - expected) <= bound);
}

} // namespace

TEMPLATE_TEST_CASE("pack_faces: every face site holds the sender's half spinor", "[codelets]", F64,
                   F32, F32InF64)
{
    using Math = typename TestType::Math;
    const Cutting cutting = cuttings();
    const Data<TestType> d(cutting, GENERATE(0, 1));
    INFO(name_of(cutting) << ", parity " << d.parity);
    on_every_backend([&](const Backend& backend) {
        const auto faces = pack(d, backend);
        std::vector<long> sites(faces.size());
        for_each_site(d.tiling, 1 - d.parity, [&](long s, const SitePlace& p) {
            const Coord x = ref::site_coord(cutting.lattice, s);
            const tile_shape& g = d.tiling.shape(p.tile);
            for (int face = 0; face < 8; ++face) {
                const int mu = face / 2, step = face % 2 ? +1 : -1;
                const SitePlace next = d.tiling.place(ref::neighbour(cutting.lattice, x, mu, step));
                if (!g.cut[mu] || next.tile == p.tile) continue;
                ++sites[8 * p.tile + face];
                // Upper rows of (1 -+ gamma) psi; the upper face also carries U^dagger.
                const Spinors site(d.psi.begin() + 12 * s, d.psi.begin() + 12 * (s + 1));
                Spinors half = ref::spin_multiply(ref::one_and_gamma(1, step, mu), site);
                if (step > 0) {
                    ref::Rotations dagger(9);
                    for (int i = 0; i < 9; ++i)
                        dagger[i] = std::conj(d.links[9 * (4 * s + mu) + 3 * (i % 3) + i / 3]);
                    half = ref::transform(dagger, half);
                }
                const int place = face_block(g, place_of_block(g, p.block), mu);
                double worst =
                    0; // reals of arithmetic, in pieces as long as those of stored fields
                for (int row = 0; row < 12; ++row) {
                    const double z = row % 2 ? half[row / 2].imag() : half[row / 2].real();
                    const double stored =
                        faces[8 * p.tile + face]
                             [place_of_real<typename TestType::Real>(place, p.lane, 12, row)];
                    worst = std::abs(stored - z) <= worst ? worst : std::abs(stored - z);
                }
                // rounded as arithmetic is, not as fields are stored
                if (!(worst <= 8 * std::numeric_limits<Math>::epsilon()))
                    FAIL_CHECK(backend.name()
                               << " site " << s << " face " << face << " is off by " << worst);
            }
        });
        for (std::size_t i = 0; i < faces.size(); ++i) {
            const tile_shape& g = d.tiling.shape(int(i / 8));
            const int lanes = 1 + (g.mask[0] | g.mask[1] | g.mask[2] | g.mask[3]);
            const int mu = int(i % 8) / 2;
            // A face holds whole blocks: of the sites in it, those in the lanes at the tile's end
            // are its sites.
            const int lanes_there = lanes / (1 + (g.mask[mu] >> g.bit[mu]));
            CHECK(sites[i] == (g.cut[mu] ? face_blocks(g, mu) * lanes_there : 0));
            CHECK(std::none_of(faces[i].begin(), faces[i].end(), [](Math z) { return z != z; }));
        }
        return bytes_of_tiles(faces);
    });
}

TEMPLATE_TEST_CASE("hopping: equals the reference, in one task or two", "[codelets]", F64, F32,
                   F32InF64)
{
    const Cutting cutting = cuttings();
    const Data<TestType> d(cutting, GENERATE(0, 1));
    INFO(name_of(cutting) << ", parity " << d.parity);
    const Spinors expected = d.hopping();
    on_every_backend([&](const Backend& backend) {
        const auto faces = pack(d, backend);
        auto all = unwritten(d), parts = unwritten(d);
        hop(d, backend, faces, {}, QCD_HOPPING_ALL, all);
        CHECK(error(gathered(d.tiling, d.parity, all.out), expected) <= hop_error<TestType>);
        for (int tile = 0; tile < d.tiling.tile_count(); ++tile)
            CHECK(padding_is_zero(d.tiling.shape(tile), all.out[tile], 24));

        hop(d, backend, faces, {}, QCD_HOPPING_INTERIOR, parts);
        for (int tile = 0; tile < d.tiling.tile_count(); ++tile) {
            const tile_shape& g = d.tiling.shape(tile);
            for (int block = 0; block < g.blocks; ++block) {
                const auto value =
                    parts.out[tile][place_of_real<typename TestType::Real>(block, 0, 24, 0)];
                CHECK((value != value) == bool(needs_face(g, place_of_block(g, block), d.parity)));
            }
        }
        hop(d, backend, faces, {}, QCD_HOPPING_BOUNDARY, parts);
        require_same_bytes("one task and two", bytes_of_tiles(all.out), bytes_of_tiles(parts.out));
        return bytes_of_tiles(all.out);
    });
}

TEMPLATE_TEST_CASE("hopping: a o v + b o H psi + u and its sums", "[codelets]", F64, F32, F32InF64)
{
    const Cutting cutting = cuttings();
    const Data<TestType> d(cutting, 1);
    INFO(name_of(cutting) << ", parity " << d.parity);
    Terms terms;
    terms.a = {0.5, -0.25, -1.25, 0.75};
    terms.b = GENERATE(chiral{-0.125, 0, 0.375, 0}, chiral{-0.125, 0.25, 0.375, 0.5});
    terms.v = terms.u = true;
    terms.sums = QCD_SUM_V_OUT | QCD_SUM_OUT_OUT | QCD_SUM_U_OUT;
    const Spinors expected = expected_result(d, terms);
    // Sums take the result before it is rounded to the field's precision.
    const double bound =
        12 * double(volume(cutting.lattice)) *
        (hop_error<TestType> + 16 * std::numeric_limits<typename TestType::Math>::epsilon());
    on_every_backend([&](const Backend& backend) {
        const auto faces = pack(d, backend);
        auto all = unwritten(d), parts = unwritten(d), sums_only = unwritten(d),
             streamed = unwritten(d);
        hop(d, backend, faces, terms, QCD_HOPPING_ALL, all);
        CHECK(error(gathered(d.tiling, d.parity, all.out), expected) <= hop_error<TestType>);
        check_value(all.sums, 0,
                    ref::inner(ref::only_parity(cutting.lattice, d.v, d.parity), expected).real(),
                    bound);
        check_value(all.sums, 1,
                    ref::inner(ref::only_parity(cutting.lattice, d.v, d.parity), expected).imag(),
                    bound);
        check_value(all.sums, 2, ref::norm2(expected), bound);
        check_value(all.sums, 3,
                    ref::inner(ref::only_parity(cutting.lattice, d.u, d.parity), expected).real(),
                    bound);
        check_value(all.sums, 4,
                    ref::inner(ref::only_parity(cutting.lattice, d.u, d.parity), expected).imag(),
                    bound);

        hop(d, backend, faces, terms, QCD_HOPPING_INTERIOR, parts);
        hop(d, backend, faces, terms, QCD_HOPPING_BOUNDARY, parts);
        CHECK(parts.sums == all.sums);
        require_same_bytes("one task and two", bytes_of_tiles(all.out), bytes_of_tiles(parts.out));

        terms.store = false;
        hop(d, backend, faces, terms, QCD_HOPPING_ALL, sums_only);
        CHECK(sums_only.sums == all.sums);
        terms.store = true;
        terms.stream = 1;
        hop(d, backend, faces, terms, QCD_HOPPING_ALL, streamed);
        terms.stream = 0;
        require_same_bytes("stored and streamed", bytes_of_tiles(all.out),
                           bytes_of_tiles(streamed.out));
        auto bytes = bytes_of_tiles(all.out);
        const auto sum_bytes = bytes_of_tiles(all.sums);
        bytes.insert(bytes.end(), sum_bytes.begin(), sum_bytes.end());
        return bytes;
    });
}

TEMPLATE_TEST_CASE("hopping: some sums only", "[codelets]", F64, F32)
{
    const Data<TestType> d({{4, 4, 4, 4}, {{{4}, {4}, {4}, {4}}}}, 0);
    Terms terms;
    terms.v = terms.u = true;
    const int which = GENERATE(QCD_SUM_V_OUT + 0, QCD_SUM_OUT_OUT + 0, QCD_SUM_U_OUT + 0);
    on_every_backend([&](const Backend& backend) {
        auto all = unwritten(d), some = unwritten(d);
        terms.sums = 7;
        hop(d, backend, {}, terms, QCD_HOPPING_ALL, all);
        terms.sums = which;
        hop(d, backend, {}, terms, QCD_HOPPING_ALL, some);
        for (int i = 0; i < QCD_MAX_SUMS; ++i) {
            const int bit = i < 2 ? QCD_SUM_V_OUT : i == 2 ? QCD_SUM_OUT_OUT : QCD_SUM_U_OUT;
            CHECK(value_of(some.sums[0], i) == (which & bit ? value_of(all.sums[0], i) : 0.0));
        }
        return bytes_of_tiles(some.sums);
    });
}

TEMPLATE_TEST_CASE("hopping and pack_faces behind a closed gate write nothing", "[codelets]", F64,
                   F32)
{
    const Data<TestType> d({{4, 4, 4, 4}, {{{2, 2}, {4}, {4}, {2, 2}}}}, 1);
    Buffer<double> gate(QCD_COEFFICIENTS);
    gate[QCD_GATE] = GENERATE(1.0, 2.0);
    on_every_backend([&](const Backend& backend) {
        const auto faces = pack(d, backend, in(gate));
        for (const auto& face : faces)
            CHECK(std::all_of(face.begin(), face.end(), [](auto z) { return z != z; }));
        auto result = unwritten(d);
        const auto before = bytes_of_tiles(result.out);
        hop(d, backend, faces, {}, QCD_HOPPING_ALL, result, in(gate));
        CHECK(bytes_of_tiles(result.out) == before);
        gate[QCD_GATE] = 0;
        hop(d, backend, pack(d, backend, in(gate)), {}, QCD_HOPPING_ALL, result, in(gate));
        CHECK(error(gathered(d.tiling, d.parity, result.out), d.hopping()) <= hop_error<TestType>);
        gate[QCD_GATE] = 1;
        return before;
    });
}

// The packing of the halo, on every backend and many tilings, against the plain reference.

#include "tests/codelets/hops.hpp"

using namespace qcd;
using namespace qcd::test;

TEMPLATE_TEST_CASE("pack_faces: every face site holds the sender's half spinor", "[codelets]", F64,
                   F32, F32InF64, F16)
{
    using Math = typename TestType::Math;
    const Cutting cutting = cuttings();
    const int parity = GENERATE(0, 1);
    const std::optional<LinkStorage> any = any_links<TestType>();
    if (!any) return;
    const LinkStorage storage = *any;
    // To save time links of 12 and 8 reals see one parity each.
    if (storage != LinkStorage::full && parity != (storage == LinkStorage::minimal)) return;
    const Data<TestType> d(cutting, parity, storage);
    INFO(name_of(cutting) << ", parity " << d.parity << ", links of " << reals(d.storage));
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
                    if (mu == 3 && d.negates_t(p.tile))
                        for (Complex& z : half) z = -z;
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
                const double units = d.storage == LinkStorage::full ? 8 : 16;
                if (!(worst <= units * std::numeric_limits<Math>::epsilon()))
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
        for (int tile = 0; tile < d.tiling.tile_count(); ++tile) {
            double flops = 0; // a lower face's site 12, an upper one's 144
            for (int face = 0; face < 8; ++face)
                flops += (face % 2 ? 144.0 : 12.0) * double(sites[std::size_t(8 * tile + face)]);
            const pack_faces_args args{d.tiling.shape(tile), 1 - d.parity, 0};
            CHECK(pack_faces_codelet(TestType::precision, d.storage).operation.flops(&args, 0) ==
                  flops);
        }
        return bytes_of_tiles(faces);
    });
}

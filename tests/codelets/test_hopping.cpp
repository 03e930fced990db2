// The hopping term, on every backend and many tilings, against the plain reference.

#include "codelets/device/solve_scalars.h"
#include "tests/codelets/hops.hpp"

using namespace qcd;
using namespace qcd::test;

namespace
{

/// (m + i twist gamma5) psi
Spinors twisted(const std::vector<double>& m, double twist, const Spinors& psi)
{
    return ref::combine(1, ref::multiply(site_matrices(m), psi), Complex(0, twist),
                        ref::gamma5(psi));
}

/// out = a v + b H psi + u of the reference, with T where terms have it.
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
    const bool times_v = terms.clover && !terms.inverse;
    if (terms.v)
        z = ref::combine(1, z, 1,
                         factor(terms.a, times_v ? twisted(d.clover, terms.twist, d.v) : d.v));
    if (terms.inverse) z = twisted(d.inverse, 0, z);
    if (terms.inverse && terms.clover) z = twisted(d.clover, -terms.twist, z);
    if (terms.u) z = ref::combine(1, z, 1, d.u);
    return ref::only_parity(d.tiling.lattice(), z, d.parity);
}

/// A component of H psi is the sum of 8 x 3 products of a link and two components: a few units for
/// each rounding of a sum whose partial sums stay below 8.
template <class P>
constexpr double hop_error = eps<P>(16);
/// Making a link whole costs each of its elements a few more.
template <class P>
double hop_error_with(LinkStorage s)
{
    return s == LinkStorage::full ? hop_error<P> : 2 * hop_error<P>;
}

void check_value(const std::vector<Buffer<i64>>& sums, int i, double expected, double bound)
{
    Buffer<i64> all(QCD_TASK_SUM_WORDS);
    for (const auto& s : sums)
        for (int word = 0; word < QCD_TASK_SUM_WORDS; ++word) all[word] += s[word];
    CHECK(std::abs(value_of(all, i) - expected) <= bound);
}

} // namespace

TEMPLATE_TEST_CASE("hopping: equals the reference", "[codelets]", F64, F32, F32InF64, F16)
{
    const Cutting cutting = cuttings();
    const int parity = GENERATE(0, 1);
    const std::optional<LinkStorage> any = any_links<TestType>();
    if (!any) return;
    const LinkStorage storage = *any;
    // To save time links of 12 and 8 reals see one parity each.
    if (storage != LinkStorage::full && parity != (storage == LinkStorage::minimal)) return;
    const Data<TestType> d(cutting, parity, storage);
    INFO(name_of(cutting) << ", parity " << d.parity << ", links of " << reals(d.storage));
    const Spinors expected = d.hopping();
    on_every_backend([&](const Backend& backend) {
        const auto faces = pack(d, backend);
        auto all = unwritten(d);
        hop(d, backend, faces, {}, all);
        CHECK(error(gathered(d.tiling, d.parity, all.out), expected) <=
              hop_error_with<TestType>(d.storage));
        for (int tile = 0; tile < d.tiling.tile_count(); ++tile)
            CHECK(padding_is_zero(d.tiling.shape(tile), all.out[tile]));
        return bytes_of_tiles(all.out);
    });
}

TEMPLATE_TEST_CASE("hopping: a o v + b o H psi + u and its sums", "[codelets]", F64, F32, F32InF64,
                   F16)
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
    const Complex with_v = ref::inner(ref::only_parity(cutting.lattice, d.v, d.parity), expected),
                  with_u = ref::inner(ref::only_parity(cutting.lattice, d.u, d.parity), expected);
    const double sums[]{with_v.real(), with_v.imag(), ref::norm2(expected), with_u.real(),
                        with_u.imag()};
    on_every_backend([&](const Backend& backend) {
        const auto faces = pack(d, backend);
        auto all = unwritten(d), sums_only = unwritten(d);
        hop(d, backend, faces, terms, all);
        CHECK(error(gathered(d.tiling, d.parity, all.out), expected) <= hop_error<TestType>);
        for (int i = 0; i < 5; ++i) check_value(all.sums, i, sums[i], bound);

        terms.store = false;
        hop(d, backend, faces, terms, sums_only);
        CHECK(sums_only.sums == all.sums);
        terms.store = true;
        for (const auto& [reach, prefetch] : {std::pair{QCD_REACH_FAR, QCD_PREFETCH_NEXT},
                                              {QCD_REACH_MEMORY, QCD_PREFETCH_EARLY},
                                              {QCD_REACH_MEMORY, QCD_PREFETCH_CLOSE}}) {
            auto far = unwritten(d);
            terms.reach = reach;
            terms.prefetch = prefetch;
            hop(d, backend, faces, terms, far);
            require_same_bytes("data near and far", bytes_of_tiles(all.out),
                               bytes_of_tiles(far.out));
        }
        terms.reach = QCD_REACH_NEAR;
        terms.prefetch = QCD_PREFETCH_REST;
        auto bytes = bytes_of_tiles(all.out);
        const auto sum_bytes = bytes_of_tiles(all.sums);
        bytes.insert(bytes.end(), sum_bytes.begin(), sum_bytes.end());
        return bytes;
    });
}

TEMPLATE_TEST_CASE("hopping: with a clover term", "[codelets]", F64, F32, F32InF64, F16)
{
    const Cutting cutting = cuttings();
    const std::optional<LinkStorage> any = any_links<TestType>();
    if (!any) return;
    const LinkStorage storage = *any;
    Data<TestType> d(cutting, storage != LinkStorage::two_rows, storage);
    d.add_clover();
    Terms terms;
    terms.inverse = GENERATE(false, true);
    // To save time: a twist does not meet the links.
    terms.twist = storage == LinkStorage::full ? 0.75 : 0;
    terms.clover = !terms.inverse || terms.twist != 0;
    // What the solvers do, and all at once.
    terms.v = !terms.inverse || storage == LinkStorage::full;
    terms.u = storage == LinkStorage::full;
    if (terms.u) terms.sums = QCD_SUM_V_OUT | QCD_SUM_OUT_OUT | QCD_SUM_U_OUT;
    terms.a = {0.5, -0.25, -1.25, 0.75};
    terms.b = {-0.125, 0, 0.375, 0};
    INFO(name_of(cutting) << ", links of " << reals(storage) << ", inverse " << terms.inverse
                          << ", twist " << terms.twist);
    const Spinors expected = expected_result(d, terms);
    // Six more products of numbers below 1, once or twice.
    const double bound = (terms.inverse ? 32 : 8) * hop_error_with<TestType>(storage);
    on_every_backend([&](const Backend& backend) {
        const auto faces = pack(d, backend);
        auto all = unwritten(d), far = unwritten(d);
        hop(d, backend, faces, terms, all);
        CHECK(error(gathered(d.tiling, d.parity, all.out), expected) <= bound);
        for (int tile = 0; tile < d.tiling.tile_count(); ++tile)
            CHECK(padding_is_zero(d.tiling.shape(tile), all.out[tile]));
        if (terms.sums)
            check_value(all.sums, 2, ref::norm2(expected),
                        double(volume(cutting.lattice)) * 200 * bound);
        terms.reach = QCD_REACH_MEMORY;
        terms.prefetch = QCD_PREFETCH_NEXT;
        hop(d, backend, faces, terms, far);
        terms.reach = QCD_REACH_NEAR;
        terms.prefetch = QCD_PREFETCH_REST;
        // Bytes of sites: empty lanes may hold 0 or -0.
        auto bytes = bytes_of_sites(d, all.out);
        require_same_bytes("data near and far", bytes, bytes_of_sites(d, far.out));
        if (!terms.sums) return bytes;
        const auto sum_bytes = bytes_of_tiles(all.sums);
        bytes.insert(bytes.end(), sum_bytes.begin(), sum_bytes.end());
        return bytes;
    });
}

TEMPLATE_TEST_CASE("hopping: some sums only", "[codelets]", F64, F32, F16)
{
    const Data<TestType> d({{4, 4, 4, 4}, {{{4}, {4}, {4}, {4}}}}, 0);
    Terms terms;
    terms.v = terms.u = true;
    const int which =
        GENERATE(QCD_SUM_V_OUT + 0, QCD_SUM_RE_V_OUT + 0, QCD_SUM_OUT_OUT + 0, QCD_SUM_U_OUT + 0,
                 QCD_SUM_RE_U_OUT + 0, QCD_SUM_RE_V_OUT | QCD_SUM_OUT_OUT | QCD_SUM_RE_U_OUT);
    on_every_backend([&](const Backend& backend) {
        auto all = unwritten(d), some = unwritten(d);
        terms.sums = QCD_SUM_V_OUT | QCD_SUM_OUT_OUT | QCD_SUM_U_OUT;
        hop(d, backend, {}, terms, all);
        terms.sums = which;
        hop(d, backend, {}, terms, some);
        for (int i = 0; i < QCD_MAX_SUMS; ++i) {
            const bool asked = which >> i & 1;
            CHECK(value_of(some.sums[0], i) == (asked ? value_of(all.sums[0], i) : 0.0));
        }
        return bytes_of_tiles(some.sums);
    });
}

TEMPLATE_TEST_CASE("hopping and pack_faces behind a closed gate write nothing", "[codelets]", F64,
                   F32, F16)
{
    const Data<TestType> d({{4, 4, 4, 4}, {{{2, 2}, {4}, {4}, {2, 2}}}}, 1);
    Buffer<solve_scalars> gate(1);
    gate[0].gate = GENERATE(QCD_GATE_CONVERGED, QCD_GATE_BREAKDOWN);
    on_every_backend([&](const Backend& backend) {
        const auto faces = pack(d, backend, in(gate));
        for (const auto& face : faces)
            CHECK(std::all_of(face.begin(), face.end(), [](auto z) { return z != z; }));
        auto result = unwritten(d);
        const auto before = bytes_of_tiles(result.out);
        hop(d, backend, faces, {}, result, in(gate));
        CHECK(bytes_of_tiles(result.out) == before);
        gate[0].gate = QCD_GATE_OPEN;
        hop(d, backend, pack(d, backend, in(gate)), {}, result, in(gate));
        CHECK(error(gathered(d.tiling, d.parity, result.out), d.hopping()) <= hop_error<TestType>);
        gate[0].gate = QCD_GATE_CONVERGED;
        return before;
    });
}

// Sums that are merged, and sums that linked workers exchange.

#include "codelets/device/linked_step.h"
#include "codelets/merge_sums/merge_sums.hpp"
#include "tests/codelets/scalars.hpp"

using namespace qcd;
using namespace qcd::test;

TEST_CASE("merge_sums: parts add word by word", "[codelets]")
{
    const int parts = GENERATE(1, 2, 13, 14);
    std::vector<Buffer<i64>> part(parts, Buffer<i64>(QCD_TASK_SUM_WORDS));
    Buffer<i64> expected(QCD_TASK_SUM_WORDS);
    for (int i = 0; i < parts; ++i)
        for (int word = 0; word < QCD_TASK_SUM_WORDS; ++word) {
            part[i][word] =
                i64(ref::splitmix64(QCD_TASK_SUM_WORDS * i + word)) >> 4; // both signs, 14 fit
            expected[word] += part[i][word];
        }
    on_every_backend([&](const Backend& backend) {
        auto result = poisoned_sums();
        std::vector<SlotMemory> slots = {out(result)};
        for (const auto& p : part) slots.push_back(in(p));
        backend.run(merge_sums_codelet(), merge_sums_args{parts}, slots);
        CHECK(result == expected);
        return bytes_of(result);
    });
}

// Several workers at once: tests/solver/test_digests.cpp; several GPUs: scripts/gpu-check.

namespace
{

/// A worker that is all of its peers: as one that has its sums once more for each of them.
template <class Struct>
void check_linked(const ScalarCodelets& operation, const Struct& old, double scale, int begins)
{
    const bool more = GENERATE(false, true), with_b = GENERATE(false, true);
    const int peers = GENERATE(1, QCD_MOST_PEERS);
    std::array<Buffer<i64>, 4> sums; // a, b, more of a, of b
    Buffer<i64> all[2] = {Buffer<i64>(QCD_TASK_SUM_WORDS), Buffer<i64>(QCD_TASK_SUM_WORDS)};
    for (int i = 0; i < 4; ++i) {
        sums[i].resize(QCD_TASK_SUM_WORDS);
        for (int sum = 0; sum < QCD_MAX_SUMS; ++sum)
            for (const double x : {1.0, -0x1p-31, 1.0 / (3 + i)})
                accumulate(&sums[i][sum * QCD_SUM_WORDS], x * (1 + sum) * scale);
        for (int word = 0; word < QCD_TASK_SUM_WORDS && (i < 2 || more); ++word)
            all[i % 2][word] += (1 + peers) * sums[i][word];
    }
    const scalar_step_args args{
        .place = 0, .begins = begins, .tol = 0, .rounding = 0, .drop = 0, .forgets = 0};
    constexpr std::size_t part = QCD_SENT_SUMS * sizeof(sent_word);
    const auto no_history = words_of(solve_history{});
    for (const Backend& backend : backends()) {
        if (!backend.has_peers()) continue;
        auto expected = words_of(old), expected_history = no_history;
        backend.run(
            operation.alone, args,
            {out(expected), out(expected_history), in(all[0]), with_b ? in(all[1]) : absent});
        const auto inbox = backend.peer_memory(peers * part);
        Buffer<i64> order(1);
        // The number of an exchange tells its words from those of earlier ones.
        for (const unsigned number : {1u, 3u, 0xffffffffu}) {
            auto c = words_of(old), history = no_history;
            std::vector<SlotMemory> slots(linked_step_slots, absent);
            slots[scalar_step_scalars] = out(c);
            slots[scalar_step_history] = out(history);
            slots[scalar_step_sums_a] = in(sums[0]);
            if (with_b) slots[scalar_step_sums_b] = in(sums[1]);
            slots[linked_step_order] = out(order);
            if (more) slots[linked_step_more_a] = in(sums[2]);
            if (more && with_b) slots[linked_step_more_b] = in(sums[3]);
            slots[linked_step_inbox] = peer(*inbox);
            for (int i = 0; i < peers; ++i)
                slots[linked_step_outbox + i] = {.data = inbox->at(i * part), .peer = true};
            backend.run(operation.linked, linked_step_args{args, number, peers}, slots);
            CHECK(bytes_of(c, history) == bytes_of(expected, expected_history));
        }
    }
}

} // namespace

TEST_CASE("linked scalars: a worker that is all of its peers has its sums once more for each",
          "[codelets]")
{
    // CR and BiCGstab read all sums of a and b; a start puts one into |r|^2, whatever its words.
    SECTION("CR") { check_linked(cr_alpha_beta_codelets(), cr_under_way(), 1, 0); }
    SECTION("BiCGstab")
    {
        check_linked(bicgstab_omega_beta_codelets(), bicgstab_under_way(), 1, 0);
    }
    SECTION("GCR")
    {
        check_linked(gcr_project_codelets(), gcr_under_way(), 1, 0);
        check_linked(gcr_residual_codelets(), gcr_under_way(), 1, 0);
    }
    SECTION("CG") { check_linked(cg_beta_codelets(), cg_under_way(), 1, 0); }
    SECTION("start")
    {
        check_linked(cr_start_codelets(), cr_under_way(), GENERATE(0x1p-1040, 0x1p-500, 0x1p1000),
                     1);
    }
}

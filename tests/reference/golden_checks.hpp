#pragma once
// Cases over the reference numbers: the runs to check, and how near a number has to be.

#include "tests/reference/golden.hpp"

#include <catch2/catch.hpp>

#include <cmath>

/// Two cases with one body, which is given the `folder` of the numbers: one over the project's own,
/// and one, tagged [reference], over those of QCD_REFERENCE_DIR.
#define QCD_GOLDEN_CASE(name) QCD_GOLDEN_CASE_OF(name, INTERNAL_CATCH_UNIQUE_NAME(golden_case))
#define QCD_GOLDEN_CASE_OF(name, body)                                                             \
    static void body(const std::filesystem::path& folder);                                         \
    TEST_CASE(name) { qcd::reference::with_own_golden(body); }                                     \
    TEST_CASE(name ", of others' fields", "[reference]") { qcd::reference::with_golden(body); }    \
    static void body(const std::filesystem::path& folder)

namespace qcd::reference
{

/// The basis of the gamma matrices, as open.json calls it.
inline constexpr const char* golden_basis = "degrand-rossi";

/// Calls check(operator, config) for every configuration, with the operator of its first run.
template <class Check>
void for_golden_fields(const std::filesystem::path& folder, const Check& check)
{
    const nlohmann::json numbers = golden_numbers(folder);
    REQUIRE(numbers.at("configs").size() >= golden_count(folder, 1, 4));
    for (const auto& [name, config] : numbers.at("configs").items()) {
        INFO(name);
        check(golden_operator(config, golden_links(folder, name), config.at("runs").at(0)), config);
    }
}

/// Calls check(operator, run) for every run of every configuration.
template <class Check>
void for_golden_runs(const std::filesystem::path& folder, const Check& check)
{
    for_golden_fields(folder, [&](const Wilson& w, const nlohmann::json& config) {
        for (const nlohmann::json& run : config.at("runs")) {
            INFO("kappa " << run.at("kappa") << " bc_t " << run.at("bc_t") << " mubar "
                          << run.at("mubar"));
            check(golden_operator(config, w.links, run), run);
        }
    });
}

/// Calls check(operator, values) for every entry of clover.json, with a clover term and without.
template <class Check>
void for_golden_clover(const std::filesystem::path& folder, const Check& check)
{
    const nlohmann::json numbers = golden_numbers(folder, "clover.json");
    REQUIRE(numbers.at("values").size() >= golden_count(folder, 1, 6));
    for (const nlohmann::json& v : numbers.at("values")) {
        INFO(v.at("file") << ", csw " << v.at("csw") << ", mubar " << v.at("mubar"));
        check(Wilson{v.at("dims_xyzt").get<Extents>(), golden_file_links(folder, v.at("file")),
                     v.at("kappa"), v.at("mubar"), v.at("bc_t") == -1, v.at("csw")},
              v);
    }
}

inline Approx near(const nlohmann::json& value, double epsilon = 1e-12)
{
    return Approx(value.get<double>()).epsilon(epsilon);
}

inline void check_near(Complex value, const nlohmann::json& expected, double bound)
{
    INFO(value << " is not " << expected);
    CHECK(std::abs(value - golden_complex(expected)) <= bound);
}

/// The component of psi that a sample of open.json names.
inline Complex sample(const Wilson& w, const Spinors& psi, const nlohmann::json& where)
{
    const long s = site_number(w.lattice, where.at("xyzt").get<Coord>());
    return psi[(s * 4 + where.at("spin").get<int>()) * 3 + where.at("colour").get<int>()];
}

} // namespace qcd::reference

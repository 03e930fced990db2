#include "tests/codelets/launch.hpp"
#include "tests/runtime/session.hpp"

#include <catch2/catch.hpp>

#include <iostream>

using namespace qcd;
using namespace qcd::test;

// Throws, and so fails, when a backend that QCD_REQUIRE names is missing.
TEST_CASE("backends that are compared", "[codelets]")
{
    REQUIRE(has_workers("cpu"));
    for (const Backend& backend : backends()) std::cerr << "backend: " << backend.name() << '\n';
    CHECK(backends().front().name() == "cpu generic");
    has_workers("cuda");
}

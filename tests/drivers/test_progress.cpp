#include "program/progress.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <poll.h>
#include <pty.h>
#include <thread>
#include <unistd.h>

using namespace qcd;

TEST_CASE("a geometric residual at a steady rate is foreseen exactly")
{
    ProgressEstimate estimate(1e-10, 1000000);
    CHECK(estimate.iterations_per_second() == 0);
    CHECK_FALSE(estimate.seconds_left());
    for (int k = 1; k <= 300; ++k) estimate.add(0.1 * k, 5 * k, std::pow(10.0, -0.005 * k));
    CHECK(estimate.iterations_per_second() == Approx(50));
    // at k = 300 the residual is 10^-1.5: 8.5 decades of 1000 iterations each are left
    REQUIRE(estimate.seconds_left());
    CHECK(*estimate.seconds_left() == Approx(8.5 * 1000 / 50));
    CHECK(estimate.line() == "iteration 1500  |r|/|b| 3.16e-02  50 it/s  about 3 min left");
}

TEST_CASE("the last iteration bounds the time, and decides it alone without a tolerance")
{
    ProgressEstimate limited(1e-10, 2000), fixed(0, 2000), rising(1e-10, 2000);
    for (int k = 1; k <= 100; ++k) {
        limited.add(0.1 * k, 10 * k, std::pow(10.0, -1e-4 * k));
        fixed.add(0.1 * k, 10 * k, 0.5);
        rising.add(0.1 * k, 10 * k, 1 + 0.01 * k);
    }
    for (const ProgressEstimate* estimate : {&limited, &fixed, &rising}) {
        REQUIRE(estimate->seconds_left());
        CHECK(*estimate->seconds_left() == Approx(10));
    }
}

TEST_CASE("residuals that are no numbers, and time that stands still")
{
    ProgressEstimate estimate(1e-10, 1000);
    for (int k = 1; k <= 10; ++k) estimate.add(1, k, NAN);
    CHECK_FALSE(estimate.seconds_left());
    for (int k = 11; k <= 20; ++k) estimate.add(k, k, 0);
    CHECK_FALSE(estimate.seconds_left());
    CHECK(estimate.iterations_per_second() > 0);
    CHECK_FALSE(estimate.line().empty());
}

TEST_CASE("a terminal has one line, which is gone at the end")
{
    int keyboard = -1, screen = -1;
    if (openpty(&keyboard, &screen, nullptr, nullptr, nullptr) != 0) {
        WARN("SKIPPED: the progress line; there are no terminals here");
        return;
    }
    std::FILE* file = fdopen(screen, "w");
    REQUIRE(file != nullptr);
    {
        Progress progress(1e-10, 100, false, file);
        progress.update(1, 0.5); // too soon to be read
        std::this_thread::sleep_for(std::chrono::milliseconds(120));
        progress.update(7, 0.25);
    }
    const std::string clear = "\r\033[K";
    const std::string expected = clear + "iteration 7  |r|/|b| 2.50e-01" + clear;
    std::string text; // it comes in pieces
    pollfd arrived{keyboard, POLLIN, 0};
    while (text.size() < expected.size() && poll(&arrived, 1, 10000) > 0) {
        char piece[256];
        const ssize_t size = read(keyboard, piece, sizeof piece);
        if (size <= 0) break;
        text.append(piece, std::size_t(size));
    }
    CHECK(text == expected);
    std::fclose(file);
    close(keyboard);
}

TEST_CASE("nothing is written to what is not a terminal")
{
    std::FILE* file = std::tmpfile();
    REQUIRE(file != nullptr);
    {
        Progress progress(1e-10, 100, false, file);
        for (int k = 0; k < 100; ++k) progress.update(k, 0.5);
    }
    CHECK(std::ftell(file) == 0);
    std::fclose(file);
}

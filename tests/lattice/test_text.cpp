#include "base/text.hpp"

#include <catch2/catch.hpp>

using namespace qcd;

TEST_CASE("a number is the whole of the text", "[text]")
{
    CHECK(parse_number<int>("12") == 12);
    CHECK(parse_number<double>("-1.5e-3") == -1.5e-3);
    for (const char* text : {"", " 1", "1 ", "1x", "+1", "99999999999", "0x10", "-"})
        CHECK_FALSE(parse_number<int>(text));
    for (const char* text : {"FFffFFff", "0xffffffff", "0XFFFFFFFF"})
        CHECK(parse_hex32(text) == 0xffffffffu);
    for (const char* text : {"", "100000000", "0x", "0x0x1", "x1", "g", "-1"})
        CHECK_FALSE(parse_hex32(text));
}

TEST_CASE("a measured number has the digits that mean something", "[text]")
{
    CHECK(figure(0) == "0");
    CHECK(figure(0.00123456) == "0.00123");
    CHECK(figure(1.23456) == "1.23");
    CHECK(figure(1.23456, 4) == "1.235");
    CHECK(figure(99.96) == "100.0");
    CHECK(figure(123456.7) == "123457");
    CHECK(figure(-12.345) == "-12.3");
}

TEST_CASE("text is trimmed, split, and quoted on one line", "[text]")
{
    CHECK(trim(std::string_view(" \t a b\r\n\0", 9)) == "a b");
    CHECK(trim(" \n").empty());
    CHECK(split("a,,b", ',') == std::vector<std::string_view>{"a", "", "b"});
    CHECK(split("", ',') == std::vector<std::string_view>{""});
    CHECK(qcd::quoted("a\nb\x1b\xff") == "'a?b?"
                                         "?'");
    CHECK(qcd::quoted(std::string(100, 'x')) == "'" + std::string(60, 'x') + "...'");
}

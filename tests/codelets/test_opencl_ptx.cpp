#include "runtime/opencl_ptx.hpp"

#include <catch2/catch.hpp>

namespace qcd::test
{

namespace
{

/// As NVIDIA's compiler writes it.
std::string entry(const std::string& name, const std::string& mark)
{
    return ".entry " + name + "(\n\t.param .u64 x\n)\n.reqntid 128, 1, 1\n{\n\tret;\n" +
           (mark.empty() ? "" : "\t// begin inline asm\n\t// " + mark + "\n\t// end inline asm\n") +
           "}\n";
}

} // namespace

TEST_CASE("PTX: groups that fit are told to the entries that ask for them", "[codelets]")
{
    const std::string head = ".version 9.0\n.target sm_90\n\n";
    const std::string ptx = head + entry("a", "qcd: groups that fit 3") + entry("b", "") +
                            entry("c", "qcd: groups that fit 12");
    std::string expected = ptx;
    const std::string size = ".reqntid 128, 1, 1\n";
    expected.insert(expected.rfind(size) + size.size(), ".minnctapersm 12\n");
    expected.insert(expected.find(size) + size.size(), ".minnctapersm 3\n");
    CHECK(ptx_with_groups(ptx) == expected);
}

TEST_CASE("PTX: what asks for nothing, or is none, stays as it is", "[codelets]")
{
    const std::string mark = "qcd: groups that fit 3";
    CHECK(ptx_with_groups("").empty());
    CHECK(ptx_with_groups(entry("a", "")).empty());
    CHECK(ptx_with_groups("ELF\n// " + mark + "\n").empty());
    CHECK(ptx_with_groups(".entry a()\n{\n// " + mark + "\n}\n" + entry("b", "")).empty());
    CHECK(ptx_with_groups(entry("a", mark).substr(0, entry("a", mark).find(mark) + mark.size()))
              .empty());
}

} // namespace qcd::test

#pragma once
// StarPU for the cases of one process: started with the workers a case asks for, restarted only
// when they change.

#include <string>
#include <string_view>

namespace qcd::test
{

struct Workers {
    int cpu = 0, opencl = 0, cuda = 0;
    std::string scheduler = "eager";
    bool operator==(const Workers&) const = default;
};

/// Kinds of workers: "cpu", "opencl", "cuda". Can this machine and this StarPU run such a worker? A
/// kind that the environment variable QCD_REQUIRE names (comma list) must be there: throws
/// otherwise, so that the case fails. A kind that is absent is reported once on stderr.
bool has_workers(std::string_view kind);

/// Starts StarPU with these workers, or goes on with them. All must be there. Nothing of StarPU's
/// may be alive when workers change.
void use_workers(const Workers&);

/// CPU workers where a case wants all: as many as cores, but at most four. Dozens would do nothing
/// but poll on lattices this small.
int cores();

} // namespace qcd::test

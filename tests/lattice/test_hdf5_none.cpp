// A build without HDF5 says so.

#include "lattice/files/hdf5_dataset.hpp"
#include "lattice/files/spinor_writer.hpp"
#include "tests/lattice/corruption.hpp"
#include "tests/lattice/made_spinors.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

using namespace qcd;
using namespace qcd::test;
using Catch::Contains;

TEST_CASE("HDF5 files are refused with a reason by a build without HDF5", "[corrupt]")
{
    const Scratch folder;
    const std::string signature = "\x89HDF\r\n\x1a\n";
    const auto reason = Contains("HDF5, which this build was made without");
    CHECK_FALSE(has_hdf5());
    CHECK_THROWS_WITH(load_bytes(signature), reason);
    CHECK_THROWS_WITH(open_spinors(signature), reason);
    CHECK_THROWS_WITH(make_spinor_writer(folder / "f.h5", {.lattice = made_spinor_lattice}),
                      reason);
}

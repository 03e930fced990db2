#include "drivers/commands.hpp"
namespace qcd
{
int run_bench(const cli::BenchOptions&) { return 0; }
} // namespace qcd

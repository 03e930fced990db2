#include "drivers/commands.hpp"
namespace qcd
{
int run_info(const cli::InfoOptions&) { return 0; }
} // namespace qcd

#include "runtime/opencl_ptx.hpp"

namespace qcd
{

std::string ptx_with_groups(const std::string& ptx)
{
    const std::string mark = "// qcd: groups that fit ", size = ".reqntid ";
    std::string out;
    std::size_t done = 0;
    for (std::size_t at = ptx.find(mark); at != std::string::npos; at = ptx.find(mark, at + 1)) {
        const std::size_t entry = ptx.rfind(".entry ", at), end = ptx.find('\n', at);
        const std::size_t line = ptx.find(size, entry == std::string::npos ? at : entry);
        if (line > at || line < done || end == std::string::npos) return {};
        const std::size_t number = at + mark.size(), place = ptx.find('\n', line) + 1;
        out += ptx.substr(done, place - done) + ".minnctapersm " +
               ptx.substr(number, ptx.find_first_not_of("0123456789", number) - number) + "\n";
        done = place;
    }
    return done == 0 ? "" : out + ptx.substr(done);
}

} // namespace qcd

// Any words are a command with its options, or an Error of one line with status 2. A line of the
// input is a word.

#include "base/error.hpp"
#include "drivers/spec/commands.hpp"
#include "tests/fuzz/pieces.hpp"
#include "tests/scratch.hpp"

namespace
{

/// Words that name files name none.
void enter_empty_folder()
{
    static const qcd::test::Scratch empty;
    static const bool entered = (std::filesystem::current_path(empty.path()), true);
    static_cast<void>(entered);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace qcd;
    enter_empty_folder();
    for (std::size_t i = 0; i < size; ++i)
        if (data[i] == 0) return -1; // no word of a command line has it
    try {
        parse(test::pieces_of(data, size, '\n'));
    } catch (const Error& e) {
        if (e.exit_status() != exit_bad_input) std::abort();
        test::require_one_line(e.what());
    }
    return 0;
}

// Any texts are a trace, of which profile and picture can be made, or an Error of one line with
// status 2. The files follow each other in the input, with form feeds between.

#include "base/error.hpp"
#include "tests/fuzz/pieces.hpp"
#include "tests/scratch.hpp"
#include "traces/profile.hpp"
#include "traces/timeline.hpp"
#include "traces/trace_folder.hpp"

#include <array>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace qcd;
    static const test::Scratch folder;
    constexpr std::array names{"trace.meta.json", "tasks.csv",    "transfers.csv",
                               "evictions.csv",   "messages.csv", "data.csv"};
    auto files = test::pieces_of(data, size, '\f');
    if (files.size() > names.size()) return -1;
    files.resize(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) test::write_text(folder / names[i], files[i]);
    try {
        const Trace trace = read_trace(folder.path());
        make_profile(trace);
        draw_timeline(trace, "picture");
        ready_tasks(trace);
    } catch (const Error& e) {
        if (e.exit_status() != exit_bad_input) std::abort();
        test::require_one_line(e.what());
    }
    return 0;
}

#pragma once
// The files in which StarPU keeps what it measured, as StarPU 1.4 reads them: it ends the process
// at one that is cut short (a killed job's, a full disk's) or that it cannot open.

#include <filesystem>
#include <string>

namespace qcd
{

struct SamplesVerdict {
    bool usable = true;
    bool bus_damaged = false;     ///< cured by measuring the buses anew
    std::filesystem::path file{}; ///< what makes the folder unusable; empty: the folder itself
    std::string problem{};        ///< the same in words
};

/// Can StarPU work with this folder ("~/.starpu/sampling") on `host`? It need not be there yet. A
/// file that another process is just writing is waited for. Makes and removes a file, changes none.
SamplesVerdict judge_samples(const std::filesystem::path& folder, const std::string& host);

/// The name that StarPU's files bear.
std::string starpu_host();

} // namespace qcd

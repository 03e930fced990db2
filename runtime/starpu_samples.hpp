#pragma once
// The files in which StarPU keeps what it measured, as StarPU 1.4 reads them: it ends the process
// at one that is cut short (a killed job's, a full disk's) or that it cannot open.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

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

/// What StarPU measured of the tasks of one model on data of one size, by one kind of worker.
struct ModelEntry {
    std::string symbol;      ///< of the model
    std::string worker;      ///< "CPU", "CUDA", "OpenCL" or another's number
    std::string footprint;   ///< of the sizes of all data, as StarPU writes it
    std::size_t bytes = 0;   ///< of all data
    double mean_us = 0;      ///< of the timings that count
    double deviation_us = 0; ///< standard, of the same
    int timings = 0;         ///< not the first one, nor those that were far from the mean
};

/// Entries of all models in such a folder that are no one else's or damaged, in no order that means
/// something.
std::vector<ModelEntry> read_models(const std::filesystem::path& folder, const std::string& host);
/// Where they are in it.
std::filesystem::path models_in(const std::filesystem::path& folder);

/// The name that StarPU's files bear.
std::string starpu_host();

} // namespace qcd

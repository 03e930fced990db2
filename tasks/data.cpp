#include "tasks/data.hpp"

#include "base/error.hpp"
#include "base/huge_pages.hpp"
#include "runtime/simulation.hpp"
#include "tasks/host_access.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace qcd
{

namespace
{

std::size_t round_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

/// Now, as the first task would pay for the page faults.
void clear_pages(char* memory, std::size_t bytes)
{
    const PausedWorkers paused;
#pragma omp parallel for schedule(static)
    for (std::size_t at = 0; at < bytes; at += huge_page)
        std::memset(memory + at, 0, std::min(huge_page, bytes - at));
}

} // namespace

TileData::TileData(LatticeGraph& graph, Sites sites, const std::function<std::size_t(int)>& bytes,
                   std::size_t element_bytes, Contents contents)
    : graph_(graph)
{
    const Tiling& tiling = graph.tiling();
    if (!tiling.kernels_can_index())
        throw Error("tiles: a tile of {} on {} tiles has more than {} sites, empty "
                    "lanes included, which kernels cannot number: cut it into more "
                    "(--tiles)",
                    to_string(tiling.lattice()), to_string(tiling.tiles()),
                    2L * QCD_LANES * most_blocks);
    const bool is_on_devices =
        contents == Contents::of_tasks && !is_simulated && starpu_cpu_worker_get_count() == 0;
    std::size_t total = 0;
    for (const int tile : graph.owned_tiles()) total += round_up(bytes(tile), small_page);
    memory_bytes_ = parities(sites).size() * total;
    if (memory_bytes_ >= huge_page) memory_bytes_ = round_up(memory_bytes_, huge_page);
    if (!is_on_devices) memory_ = allocate_huge(memory_bytes_);
    if (memory_ == nullptr && !is_on_devices)
        throw DeviceError("memory: {:.1f} MiB for a field are not to be had: --precision "
                          "single and --links 12 need less",
                          memory_bytes_ / 1048576.0);
    if (contents != Contents::none && !is_on_devices && !is_simulated) {
        clear_pages(static_cast<char*>(memory_), memory_bytes_);
        pin();
    }
    char* next = static_cast<char*>(memory_);
    for (const int parity : parities(sites)) {
        data_[parity].resize(tiling.tile_count());
        host_[parity].resize(tiling.tile_count());
        for (const int tile : graph.owned_tiles()) {
            Data d{.worker = graph.owner_of_tile(tile), .part = tile};
            starpu_vector_data_register(&d.handle, is_on_devices ? -1 : STARPU_MAIN_RAM,
                                        reinterpret_cast<uintptr_t>(next),
                                        bytes(tile) / element_bytes, element_bytes);
            data_[parity][tile] = d;
            if (is_on_devices) continue;
            host_[parity][tile] = next;
            next += round_up(bytes(tile), small_page);
        }
    }
}

/// Brings all of it into memory where there are GPUs.
void TileData::pin()
{
    if (!pinned_) starpu_memory_pin(memory_, memory_bytes_);
    pinned_ = true;
}

void TileData::make_constant()
{
    pin();
    for (const auto& of_parity : data_)
        for (const Data& d : of_parity)
            if (d) graph_.make_constant(d);
}

TileData::~TileData()
{
    for (const auto& parity : data_)
        for (const Data& d : parity)
            if (d) graph_.unregister(d);
    if (pinned_) starpu_memory_unpin(memory_, memory_bytes_);
    std::free(memory_);
}

} // namespace qcd

// Ranks of a simulation: SimGrid's SMPI has loaded a copy of the program for each.

#include "runtime/simulated_ranks.hpp"

#include "runtime/mpi/sent_on.hpp"

#include <starpu_mpi.h>

#include <cstdio>
#include <memory>
#include <unistd.h>
#include <unordered_map>

extern "C" int _starpu_silent; // StarPU's

namespace qcd
{

namespace
{

/// StarPU starts MPI before it looks whether it is to be silent.
__attribute__((constructor)) void begin_silently() { _starpu_silent = 1; }

/// Only data of the graph travel. What hosts tell each other is what they all know: nodes are
/// alike, and nothing is computed that could differ. StarPU's MPI is that of one thread of its own.
class SimulatedRanks final : public Ranks
{
public:
    SimulatedRanks()
    {
        starpu_mpi_comm_rank(MPI_COMM_WORLD, &rank_);
        starpu_mpi_comm_size(MPI_COMM_WORLD, &size_);
    }

    void begin_session() override { starpu_mpi_init_comm(nullptr, nullptr, 0, MPI_COMM_WORLD); }
    void end_session() override { starpu_mpi_shutdown(); }
    void send(starpu_data_handle_t data, int to, long tag, const char*) override
    {
        starpu_mpi_isend_detached(data, to, tag, MPI_COMM_WORLD, nullptr, nullptr);
    }
    void receive(starpu_data_handle_t data, int from, long tag, const char*) override
    {
        const auto channel = channels_.find(tag);
        Channel* const c = channel == channels_.end() ? nullptr : &channel->second;
        const auto is_here = [](void* c) {
            const Channel& channel = *static_cast<Channel*>(c);
            send_on_to(channel.worker, channel.data);
        };
        starpu_mpi_irecv_detached(data, from, tag, MPI_COMM_WORLD, c ? +is_here : nullptr, c);
    }
    void open(std::span<const Channel> channels) override
    {
        for (const Channel& c : channels)
            if (c.to == rank_) channels_.emplace(c.tag, c);
    }
    void close(std::span<const Channel> channels) override
    {
        for (const Channel& c : channels) channels_.erase(c.tag);
    }
    void wait_for_messages() override { starpu_mpi_wait_for_all(MPI_COMM_WORLD); }
    std::vector<std::byte> gather(std::span<const std::byte> mine) override
    {
        std::vector<std::byte> all;
        for (int rank = 0; rank < size_; ++rank) all.insert(all.end(), mine.begin(), mine.end());
        return all;
    }
    /// All are one process.
    void abort(const std::string& line, ExitStatus status) override
    {
        std::fprintf(stderr, "qcd_starpu: %s\n", line.c_str());
        std::fflush(nullptr);
        _exit(status);
    }

private:
    std::unordered_map<long, Channel> channels_; ///< that end here
};

} // namespace

std::unique_ptr<Ranks> simulated_ranks() { return std::make_unique<SimulatedRanks>(); }

} // namespace qcd

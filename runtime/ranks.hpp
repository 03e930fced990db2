#pragma once
// The processes that share a run, one rank each, and what goes between them: data of the graph by
// StarPU-MPI, bytes of the host by MPI. MPI's part is a library of its own (mpi/mpi_ranks.cpp),
// loaded where a launcher such as mpirun has started the process.

#include "base/error.hpp"

#include <starpu.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace qcd
{

/// A message between data of two ranks, as one of them saw it. Times: seconds on the steady clock
/// of its host, as those of Events.
struct MessageEnd {
    std::array<char, 8> what{}; ///< "faces", ...
    int from = -1, to = -1;
    long tag = 0;
    double bytes = 0;
    double made = 0;  ///< where it was sent: the tasks before had written the data
    double ended = 0; ///< it was sent, or received
};

/// The messages of one rank; they end in threads of StarPU's.
class MessageLog
{
public:
    void add(const MessageEnd& m)
    {
        const std::lock_guard lock(mutex_);
        ends_.push_back(m);
    }
    /// No message is under way.
    std::vector<MessageEnd> take() { return std::move(ends_); }
    static double now()
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }

private:
    std::mutex mutex_;
    std::vector<MessageEnd> ends_;
};

/// One end of a channel for messages that come again and again: the data there, from rank to rank.
struct Channel {
    starpu_data_handle_t data = nullptr;
    std::size_t bytes = 0;
    int from = -1, to = -1;
    long tag = 0;
    /// The one worker whose tasks write the data at the sender's end, or read them at the
    /// receiver's, where they go on to its memory as soon as they are here. -1: there are several,
    /// or it is not known which.
    int worker = -1;
};

/// How the data of GPUs go from rank to rank: through the hosts' memory; all ranks are of one host
/// and see each other's faces there, or write them into the memory of each other's GPU; or MPI takes
/// them from and to the memories of GPUs.
enum class Transport { staged, shared, gpu_to_gpu, cuda_aware };

/// Calls are collective unless they say who takes part: all ranks make the same calls in the same
/// order, from one thread. All of it is in this header: nothing of the program is
/// there for the library to be linked with.
class Ranks
{
public:
    virtual ~Ranks() = default;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }
    /// Among those of this host.
    int local_rank() const { return local_rank_; }
    int local_size() const { return local_size_; }
    bool several() const { return size_ > 1; }
    /// Is this the one that prints and writes files?
    bool speaks() const { return rank_ == 0; }

    /// The first of `count` numbers that mark messages and that nothing else has: the same on all
    /// ranks, as all make what sends and receives in the same order.
    long tags(long count) { return (next_tag_ += count) - count; }

    // Called after StarPU has started, and end_session() before it ends.
    virtual void begin_session() {}
    virtual void end_session() {}
    /// Returns at once: the data are sent when the tasks before have written them, and those after
    /// wait with writing them until they are.
    virtual void send(starpu_data_handle_t, int /*to*/, long /*tag*/, const char* /*what*/) {}
    /// Returns at once: tasks after it wait until the data are here.
    virtual void receive(starpu_data_handle_t, int /*from*/, long /*tag*/, const char* /*what*/) {}
    /// Collective, of all channels that end here. Where both ends are of one host their data, which
    /// have no memory yet, get memory there, or of the receiver's GPU, that both see: what the
    /// sender's tasks have written, or copied from a GPU, is there for the receiver's without MPI.
    virtual void open(std::span<const Channel>) {}
    /// The receiver of a channel calls this after each message: the tasks that read it have been
    /// submitted.
    virtual void done_reading(long /*tag*/) {}
    /// When their data have been unregistered.
    virtual void close(std::span<const Channel>) {}
    /// Messages that are submitted from now on are noted; null: no more.
    void note_messages(MessageLog* log) { log_ = log; }
    /// Until all tasks and messages have ended.
    virtual void wait_for_messages() {}
    /// How the faces of a session travel.
    virtual Transport transport() const { return Transport::staged; }

    // Messages of the host's data: these calls wait.
    virtual void barrier() {}
    virtual void broadcast(std::span<std::byte>, int /*from*/) {}
    /// Each rank gives as many bytes: returns those of all, by rank.
    virtual std::vector<std::byte> gather(std::span<const std::byte> mine)
    {
        return {mine.begin(), mine.end()};
    }
    /// Bytes go from one rank to another, each of which makes one of these calls.
    virtual void send_bytes(std::span<const std::byte>, int /*to*/) {}
    virtual void receive_bytes(std::span<std::byte>, int /*from*/) {}
    /// To one rank and from another at the same time, which may both be this one; as many.
    virtual void exchange_bytes(std::span<const std::byte> mine, int /*to*/,
                                std::span<std::byte> theirs, int /*from*/)
    {
        std::copy(mine.begin(), mine.end(), theirs.begin());
    }

    /// Begins to ask whether any rank says yes; answer() waits for it. One question at a time.
    virtual void ask(bool mine) { answer_ = mine; }
    virtual bool answer() { return answer_; }
    bool any(bool mine)
    {
        ask(mine);
        return answer();
    }

    /// Do all ranks make this call before so much time has passed? Where one does not, nothing but
    /// abort() is left to do.
    virtual bool all_come(std::chrono::seconds /*patience*/) { return true; }

    /// Ends all ranks with this status; the line that one of those that fail has is printed. Where
    /// there is one rank, returns.
    virtual void abort(const std::string& /*line*/, ExitStatus) {}

    // Gathers one value of each rank.
    template <class T>
    T from_rank(int root, T value)
    {
        broadcast(std::as_writable_bytes(std::span(&value, 1)), root);
        return value;
    }
    template <class T>
    std::vector<T> all(const T& mine)
    {
        const std::vector<std::byte> bytes = gather(std::as_bytes(std::span(&mine, 1)));
        std::vector<T> values(std::size_t(size_), mine);
        std::copy(bytes.begin(), bytes.end(), std::as_writable_bytes(std::span(values)).begin());
        return values;
    }

protected:
    Ranks() = default;
    int rank_ = 0, size_ = 1, local_rank_ = 0, local_size_ = 1;
    MessageLog* log_ = nullptr;

private:
    long next_tag_ = 1;
    bool answer_ = false;
};

/// One process.
Ranks& one_rank();

/// Has a launcher started this process as one of several?
bool launched_as_one_of_several();
/// Its number among them, as the launcher says, before MPI is asked; 0: the first, or not known.
int launched_rank();
/// What says that it is one of several of which MPI knows one, as where srun has no PMIx:
/// "SLURM_STEP_NUM_TASKS=4". Empty: nothing. ranks: of start_ranks().
std::string launched_apart(const Ranks* ranks);

/// MPI's library as it would be loaded: its file, or empty where there is none.
std::string mpi_library();

/// Starts MPI where a launcher has started this process as one of several; else null. print: called
/// by the rank that prints, by a thread of its own, with the line of one that fails. Throws
/// DeviceError where MPI is not to be had.
std::unique_ptr<Ranks> start_ranks(void (*print)(const std::string& line));

/// What MPI's library exports, by this name.
using MakeRanks = Ranks*(void (*print)(const std::string& line));
inline constexpr const char* make_ranks_name = "qcd_make_mpi_ranks";

/// Ranks of one host that a launcher has left on the same cores, or has bound without being asked
/// to, take equal shares of them: this process and what it starts from now on run on its share.
/// Where somebody has asked for a binding, or a rank is alone on its host, nothing changes.
void take_share_of_cores(Ranks&);

} // namespace qcd

#pragma once
// Messages between ranks of one host: the data of both ends have the same memory there, and MPI
// carries two words, that they are written, and that they have been read.

#include "runtime/ranks.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace qcd
{

/// What is written about a message in the end. Deletes itself when as many of its things are done.
struct NotedMessage {
    MessageLog* log;
    starpu_data_handle_t data;
    MessageEnd end;
    std::atomic<int> left;

    void done()
    {
        if (--left > 0) return;
        log->add(end);
        delete this;
    }
};

/// Memory of one process that another process of the host can use, too.
class SharedMemory
{
public:
    /// What the owner tells the others.
    struct Offer {
        bool made = false;
        std::size_t bytes = 0;
        unsigned long mark = 0;           ///< by chance: this is the memory that was meant
        int process = 0, descriptor = -1; ///< of memory of the host
        std::array<std::byte, 64> gpu{};  ///< of memory of a GPU: CUDA's handle,
        std::size_t offset = 0;           ///< and where it begins in what that names
    };

    /// worker: a CUDA worker, in whose memory it is; -1: it is the host's. Null where it is not to
    /// be had.
    static std::shared_ptr<SharedMemory> make(int worker, std::size_t bytes);
    /// Opens the memory that another process offers. worker: the one of this process whose tasks
    /// will use it.
    static std::shared_ptr<SharedMemory> of(const Offer&, int worker);
    virtual ~SharedMemory() = default;
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    std::byte* at(std::size_t offset) const { return memory_ + offset; }
    unsigned node() const { return node_; } ///< StarPU's
    virtual void read(std::size_t offset, void* to, std::size_t bytes) const = 0;
    virtual void write(std::size_t offset, const void* from, std::size_t bytes) const = 0;
    virtual void fill(Offer&) const = 0; ///< but for the mark
    /// All who want it have it.
    virtual void close_offer() {}

protected:
    SharedMemory(std::byte* memory, unsigned node) : memory_(memory), node_(node) {}
    std::byte* memory_;

private:
    unsigned node_;
};

/// One channel. The thread that submits calls its functions; the rest happens in callbacks of
/// StarPU's. So much of a message is in the order of the tasks that use the data:
///
///   sender: data are read, until the receiver has done with them    receiver: data are written
///     there  -- one word ------------------------------------------>  they are there
///                                                    done_reading(): read by its tasks, then here
///     let go <------------------------------------------ one word --  done
class SharedChannel
{
public:
    /// at: of its data, in `memory`. under_way: messages that have not ended; outlives the session.
    SharedChannel(const Channel&, std::shared_ptr<SharedMemory> memory, std::byte* at,
                  std::atomic<long>& under_way);
    ~SharedChannel();
    SharedChannel(const SharedChannel&) = delete;
    SharedChannel& operator=(const SharedChannel&) = delete;

    const std::shared_ptr<SharedMemory>& memory() const { return memory_; }
    /// note: may be null
    void send(NotedMessage* note);
    void receive(NotedMessage* note);
    void done_reading();

private:
    struct Message;
    void release() const;
    Channel channel_;
    std::shared_ptr<SharedMemory> memory_;
    std::atomic<long>& under_way_;
    int words_[2] = {};
    starpu_data_handle_t there_ = nullptr, done_ = nullptr;
};

/// Which memory data between ranks of one host are in. It is the receiver's: of a GPU the sender's
/// tasks write into that of the other one.
enum class SharedPlace { none, host, gpu };

/// The channels of this rank to others of its host.
class SharedChannels
{
public:
    /// Collective. most: the same on all ranks. host_of: of each rank, a number of its host. Returns
    /// where all are that are between ranks of one host: on GPUs where at each end one CUDA worker
    /// uses them and the GPUs reach each other, else on the host, or `none` where that is not to be
    /// had either.
    SharedPlace open(Ranks&, SharedPlace most, const std::vector<int>& host_of,
                     std::span<const Channel>);
    /// Collective.
    void close(Ranks&, std::span<const Channel>);
    /// Null where it is not shared.
    SharedChannel* find(long tag)
    {
        const auto found = channels_.find(tag);
        return found == channels_.end() ? nullptr : found->second.get();
    }
    /// Messages that have not ended.
    long under_way() const { return under_way_; }

private:
    bool open_in(Ranks&, bool may, int worker, std::span<const Channel> sent,
                 std::span<const Channel> received);
    std::unordered_map<long, std::unique_ptr<SharedChannel>> channels_;
    bool gpus_may_ = true; ///< what has failed once is not tried again, and all ranks know
    std::unordered_set<long> on_gpus_; ///< tags, those between hosts, too: as all ranks know
    std::vector<std::shared_ptr<SharedMemory>> left_; ///< that others may still use
    std::atomic<long> under_way_{0};
};

} // namespace qcd

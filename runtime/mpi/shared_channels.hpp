#pragma once
// Messages between ranks of one host: the data of both ends have the same memory there, and MPI
// carries two words, that they are written, and that they have been read.

#include "runtime/ranks.hpp"

#include <atomic>
#include <memory>
#include <unordered_map>
#include <vector>

namespace qcd
{

/// Data that were received, and are read by a device's tasks, begin their way to its memory: else
/// they would wait until nothing but the copy keeps a task from being executed, as a hop's border
/// waits for its inside.
inline void send_on_to(int reader, starpu_data_handle_t data)
{
    if (reader < 0) return;
    const unsigned memory = starpu_worker_get_memory_node(unsigned(reader));
    if (memory != STARPU_MAIN_RAM) starpu_data_prefetch_on_node(data, memory, 1);
}

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

/// Memory that other processes of the host can map: of nobody when the last one has left it. Pinned
/// for the devices of this session.
class SharedMemory
{
public:
    /// Of this process. Null where the system has none.
    static std::shared_ptr<SharedMemory> make(std::size_t bytes);
    /// Of another one, as long as it keeps its descriptor. Null where it is not to be had, as where
    /// processes are in containers of their own.
    static std::shared_ptr<SharedMemory> of(int process, int descriptor, std::size_t bytes);
    ~SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    std::byte* at(std::size_t offset) const { return memory_ + offset; }
    /// -1: closed
    int descriptor() const { return descriptor_; }
    void close_descriptor();

private:
    SharedMemory(std::byte* memory, std::size_t bytes, int descriptor);
    static std::shared_ptr<SharedMemory> map(std::size_t bytes, int descriptor);

    std::byte* memory_;
    std::size_t bytes_;
    int descriptor_;
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

    /// note: may be null
    void send(NotedMessage* note);
    void receive(NotedMessage* note);
    void done_reading();

private:
    struct Message;
    Channel channel_;
    std::shared_ptr<SharedMemory> memory_;
    std::atomic<long>& under_way_;
    int words_[2] = {};
    starpu_data_handle_t there_ = nullptr, done_ = nullptr;
};

/// Those of this rank.
class SharedChannels
{
public:
    /// Collective. host_of: of each rank, a number of its host. Returns whether they are shared:
    /// all that are between ranks of one host, or none of any rank, where one may not or cannot.
    bool open(Ranks&, bool may, const std::vector<int>& host_of, std::span<const Channel>);
    void close(std::span<const Channel>);
    /// Null where it is not shared.
    SharedChannel* find(long tag)
    {
        const auto found = channels_.find(tag);
        return found == channels_.end() ? nullptr : found->second.get();
    }
    /// Messages that have not ended.
    long under_way() const { return under_way_; }

private:
    std::unordered_map<long, std::unique_ptr<SharedChannel>> channels_;
    std::atomic<long> under_way_{0};
};

} // namespace qcd

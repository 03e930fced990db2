#include "runtime/mpi/shared_channels.hpp"

#include "runtime/mpi/sent_on.hpp"

#define OMPI_SKIP_MPICXX
#include <fcntl.h>
#include <mpi.h>
#include <starpu_mpi.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef QCD_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

#include <algorithm>
#include <cstring>
#include <exception>
#include <map>
#include <random>
#include <string>

namespace qcd
{

namespace
{

constexpr std::size_t page = 4096;
std::size_t whole_pages(std::size_t bytes) { return (bytes + page - 1) / page * page; }

/// Beside a channel's own tag, for its words.
constexpr long there_tag = 1L << 40, done_tag = 1L << 41;

/// A receiver's memory begins with the mark of its offer, and with where its channels' data are;
/// after these, for each rank, what it writes to show that it can.
struct Entry {
    long tag;
    std::size_t offset;
};
struct Head {
    unsigned long mark;
    std::size_t count;
};
constexpr std::size_t place_of_sign(std::size_t entries, int rank)
{
    return sizeof(Head) + entries * sizeof(Entry) + std::size_t(rank) * sizeof(unsigned long);
}

starpu_data_handle_t word(int& value)
{
    starpu_data_handle_t handle;
    starpu_variable_data_register(&handle, STARPU_MAIN_RAM, reinterpret_cast<uintptr_t>(&value),
                                  sizeof value);
    return handle;
}

} // namespace

namespace
{

/// A file in memory, which vanishes when the last process has left it; pinned for the devices of
/// this session.
class HostMemory final : public SharedMemory
{
public:
    static std::shared_ptr<SharedMemory> make(std::size_t bytes)
    {
        const int descriptor = memfd_create("qcd_starpu", MFD_CLOEXEC);
        if (descriptor < 0) return nullptr;
        // Reserved now: where there is too little memory, a write to it would be the end.
        if (posix_fallocate(descriptor, 0, off_t(bytes)) != 0) {
            ::close(descriptor);
            return nullptr;
        }
        return map(bytes, descriptor);
    }
    /// Null where processes do not see each other's files, as in containers of their own.
    static std::shared_ptr<SharedMemory> of(const Offer& offer)
    {
        const std::string file =
            "/proc/" + std::to_string(offer.process) + "/fd/" + std::to_string(offer.descriptor);
        const int mine = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
        if (mine < 0) return nullptr;
        struct stat facts = {};
        if (fstat(mine, &facts) != 0 || std::size_t(facts.st_size) != offer.bytes) {
            ::close(mine);
            return nullptr;
        }
        const std::shared_ptr<SharedMemory> memory = map(offer.bytes, mine);
        if (memory) memory->close_offer();
        return memory;
    }
    ~HostMemory() override
    {
        starpu_memory_unpin(memory_, bytes_);
        munmap(memory_, bytes_);
        close_offer();
    }

    void read(std::size_t offset, void* to, std::size_t bytes) const override
    {
        std::memcpy(to, at(offset), bytes);
    }
    void write(std::size_t offset, const void* from, std::size_t bytes) const override
    {
        std::memcpy(at(offset), from, bytes);
    }
    void fill(Offer& offer) const override
    {
        offer.process = getpid();
        offer.descriptor = descriptor_;
    }
    void close_offer() override
    {
        if (descriptor_ >= 0) ::close(descriptor_);
        descriptor_ = -1;
    }

private:
    HostMemory(std::byte* memory, std::size_t bytes, int descriptor)
        : SharedMemory(memory, STARPU_MAIN_RAM), bytes_(bytes), descriptor_(descriptor)
    {
        starpu_memory_pin(memory_, bytes_);
    }
    static std::shared_ptr<SharedMemory> map(std::size_t bytes, int descriptor)
    {
        void* const memory =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        if (memory == MAP_FAILED) {
            ::close(descriptor);
            return nullptr;
        }
        return std::shared_ptr<SharedMemory>(
            new HostMemory(static_cast<std::byte*>(memory), bytes, descriptor));
    }

    std::size_t bytes_;
    int descriptor_;
};

#ifdef QCD_WITH_CUDA
/// Memory of a GPU, which another process opens by CUDA's interprocess communication.
class GpuMemory final : public SharedMemory
{
public:
    static std::shared_ptr<SharedMemory> make(int worker, std::size_t bytes)
    {
        const OnDevice device(worker);
        void* memory = nullptr;
        if (!done(cudaMalloc(&memory, bytes))) return nullptr;
        if (!done(cudaMemset(memory, 0, bytes)) || !done(cudaDeviceSynchronize())) {
            cudaFree(memory);
            return nullptr;
        }
        return std::shared_ptr<SharedMemory>(new GpuMemory(memory, worker, Whose::mine));
    }
    static std::shared_ptr<SharedMemory> of(const Offer& offer, int worker)
    {
        const OnDevice device(worker);
        cudaIpcMemHandle_t handle;
        static_assert(sizeof handle == sizeof offer.gpu);
        std::memcpy(&handle, offer.gpu.data(), sizeof handle);
        void* memory = nullptr;
        if (!done(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess)))
            return nullptr;
        return std::shared_ptr<SharedMemory>(new GpuMemory(memory, worker, Whose::of_another));
    }
    ~GpuMemory() override
    {
        const OnDevice device(worker_);
        done(whose_ == Whose::mine ? cudaFree(memory_) : cudaIpcCloseMemHandle(memory_));
    }

    void read(std::size_t offset, void* to, std::size_t bytes) const override
    {
        const OnDevice device(worker_);
        done(cudaMemcpy(to, at(offset), bytes, cudaMemcpyDefault));
    }
    void write(std::size_t offset, const void* from, std::size_t bytes) const override
    {
        const OnDevice device(worker_);
        done(cudaMemcpy(at(offset), from, bytes, cudaMemcpyDefault));
        done(cudaDeviceSynchronize());
    }
    void fill(Offer& offer) const override
    {
        const OnDevice device(worker_);
        cudaIpcMemHandle_t handle;
        offer.made = done(cudaIpcGetMemHandle(&handle, memory_));
        std::memcpy(offer.gpu.data(), &handle, sizeof handle);
    }

private:
    enum class Whose { mine, of_another };
    /// This thread's device, for as long as it lives.
    class OnDevice
    {
    public:
        explicit OnDevice(int worker)
        {
            cudaGetDevice(&before_);
            cudaSetDevice(starpu_worker_get_devid(worker));
        }
        ~OnDevice() { cudaSetDevice(before_); }
        OnDevice(const OnDevice&) = delete;
        OnDevice& operator=(const OnDevice&) = delete;

    private:
        int before_ = 0;
    };

    GpuMemory(void* memory, int worker, Whose whose)
        : SharedMemory(static_cast<std::byte*>(memory), starpu_worker_get_memory_node(worker)),
          worker_(worker), whose_(whose)
    {
    }
    /// What fails says that the way is not there, and is nobody else's error.
    static bool done(cudaError_t status)
    {
        if (status != cudaSuccess) cudaGetLastError();
        return status == cudaSuccess;
    }

    int worker_;
    Whose whose_;
};
#endif

} // namespace

std::shared_ptr<SharedMemory> SharedMemory::make(int worker, std::size_t bytes)
{
#ifdef QCD_WITH_CUDA
    if (worker >= 0) return GpuMemory::make(worker, bytes);
#endif
    return worker >= 0 ? nullptr : HostMemory::make(bytes);
}

std::shared_ptr<SharedMemory> SharedMemory::of(const Offer& offer, int worker)
{
    if (!offer.made) return nullptr;
#ifdef QCD_WITH_CUDA
    if (worker >= 0) return GpuMemory::of(offer, worker);
#endif
    return worker >= 0 ? nullptr : HostMemory::of(offer);
}

/// A message from its submission on. A sender's may end only when the channel is closed: StarPU-MPI
/// lets go of data before it calls back.
struct SharedChannel::Message {
    SharedChannel* of;
    std::atomic<long>& under_way;
    NotedMessage* note;

    void end()
    {
        if (note) {
            note->end.ended = MessageLog::now();
            note->done();
        }
        --under_way;
        delete this;
    }
    static void end_of(void* message) { static_cast<Message*>(message)->end(); }
};

SharedChannel::SharedChannel(const Channel& channel, std::shared_ptr<SharedMemory> memory,
                             std::byte* at, std::atomic<long>& under_way)
    : channel_(channel), memory_(std::move(memory)), under_way_(under_way), there_(word(words_[0])),
      done_(word(words_[1]))
{
    starpu_vector_ptr_register(channel.data, memory_->node(), reinterpret_cast<uintptr_t>(at),
                               reinterpret_cast<uintptr_t>(at), 0);
}

SharedChannel::~SharedChannel()
{
    starpu_data_unregister(there_);
    starpu_data_unregister(done_);
}

void SharedChannel::send(NotedMessage* note)
{
    ++under_way_;
    const auto written = [](void* message) {
        auto* const m = static_cast<Message*>(message);
        const SharedChannel& c = *m->of;
        if (m->note) m->note->end.made = MessageLog::now();
        // Once the first word is sent, the message may be over.
        const auto let_go = [](void* channel) { static_cast<SharedChannel*>(channel)->release(); };
        starpu_mpi_irecv_detached(c.done_, c.channel_.to, c.channel_.tag | done_tag, MPI_COMM_WORLD,
                                  let_go, m->of);
        starpu_mpi_isend_detached(c.there_, c.channel_.to, c.channel_.tag | there_tag,
                                  MPI_COMM_WORLD, Message::end_of, m);
    };
    starpu_data_acquire_on_node_cb(channel_.data, int(memory_->node()), STARPU_R, written,
                                   new Message{this, under_way_, note});
}

void SharedChannel::receive(NotedMessage* note)
{
    ++under_way_;
    const auto may_be_written = [](void* message) {
        auto* const m = static_cast<Message*>(message);
        const auto is_there = [](void* arrived) {
            auto* const a = static_cast<Message*>(arrived);
            const SharedChannel& of = *a->of;
            a->end();
            of.release();
            send_on_to(of.channel_.worker, of.channel_.data);
        };
        const SharedChannel& c = *m->of;
        starpu_mpi_irecv_detached(c.there_, c.channel_.from, c.channel_.tag | there_tag,
                                  MPI_COMM_WORLD, is_there, m);
    };
    starpu_data_acquire_on_node_cb(channel_.data, int(memory_->node()), STARPU_W, may_be_written,
                                   new Message{this, under_way_, note});
}

void SharedChannel::done_reading()
{
    const auto is_read = [](void* channel) {
        const auto& c = *static_cast<SharedChannel*>(channel);
        starpu_mpi_isend_detached(c.done_, c.channel_.from, c.channel_.tag | done_tag,
                                  MPI_COMM_WORLD, nullptr, nullptr);
        c.release();
    };
    starpu_data_acquire_on_node_cb(channel_.data, int(memory_->node()), STARPU_R, is_read, this);
}

void SharedChannel::release() const
{
    starpu_data_release_on_node(channel_.data, int(memory_->node()));
}

namespace
{

/// The CUDA worker that uses all of them at this end; -1: there is none.
int only_gpu_of(std::span<const Channel> channels)
{
    int only = -1;
    for (const Channel& c : channels) {
        if (c.worker < 0 || (only >= 0 && c.worker != only)) return -1;
        only = c.worker;
    }
    return only >= 0 && starpu_worker_get_type(only) == STARPU_CUDA_WORKER ? only : -1;
}

} // namespace

SharedPlace SharedChannels::open(Ranks& ranks, SharedPlace most, const std::vector<int>& host_of,
                                 std::span<const Channel> channels)
{
    const auto host = [&](int rank) { return host_of[std::size_t(rank)]; };
    std::vector<Channel> inside, sent, received;
    for (const Channel& c : channels)
        if (host(c.from) == host(c.to)) {
            inside.push_back(c);
            (c.from == ranks.rank() ? sent : received).push_back(c);
        }
    const int gpu = only_gpu_of(inside);
    if (most == SharedPlace::gpu && gpus_may_ && !ranks.any(!inside.empty() && gpu < 0)) {
        gpus_may_ = open_in(ranks, true, std::max(gpu, 0), sent, received);
        if (gpus_may_) {
            for (const Channel& c : channels) on_gpus_.insert(c.tag);
            return SharedPlace::gpu;
        }
    }
    const bool may = most != SharedPlace::none;
    return open_in(ranks, may, -1, sent, received) ? SharedPlace::host : SharedPlace::none;
}

bool SharedChannels::open_in(Ranks& ranks, bool may, int worker, std::span<const Channel> sent,
                             std::span<const Channel> received)
{
    const std::size_t n = received.size();
    SharedMemory::Offer mine;
    mine.bytes = whole_pages(place_of_sign(n, ranks.size()));
    std::vector<Entry> entries;
    for (const Channel& c : received) {
        entries.push_back({c.tag, mine.bytes});
        mine.bytes += whole_pages(c.bytes);
    }
    std::shared_ptr<SharedMemory> memory;
    if (may && n > 0) memory = SharedMemory::make(worker, mine.bytes);
    if (memory) {
        std::random_device chance;
        mine.mark = chance() * (1UL << 32) + chance();
        mine.made = true;
        memory->fill(mine);
        const Head head{mine.mark, n};
        memory->write(0, &head, sizeof head);
        memory->write(sizeof head, entries.data(), n * sizeof(Entry));
    }
    bool failed = !may || (n > 0 && !mine.made);
    const std::vector<SharedMemory::Offer> offers = ranks.all(mine);

    struct Theirs {
        std::shared_ptr<SharedMemory> memory;
        std::vector<Entry> entries;
    };
    std::map<int, Theirs> of_ranks;
    for (const Channel& c : sent) {
        if (of_ranks.contains(c.to)) continue;
        const SharedMemory::Offer& offer = offers[std::size_t(c.to)];
        Theirs& there = of_ranks[c.to];
        there.memory = SharedMemory::of(offer, worker);
        Head head{};
        if (there.memory) there.memory->read(0, &head, sizeof head);
        if (!there.memory || head.mark != offer.mark) {
            failed = true;
            continue;
        }
        there.entries.resize(head.count);
        there.memory->read(sizeof head, there.entries.data(), head.count * sizeof(Entry));
        there.memory->write(place_of_sign(head.count, ranks.rank()), &head.mark, sizeof head.mark);
    }
    failed = ranks.any(failed); // all have signed
    for (const Channel& c : received) {
        unsigned long sign = 0;
        if (!failed) memory->read(place_of_sign(n, c.from), &sign, sizeof sign);
        failed = failed || sign != mine.mark;
    }
    const bool shared = !ranks.any(failed);
    if (memory) memory->close_offer();
    if (!shared) {
        of_ranks.clear();
        ranks.barrier(); // nobody uses this rank's any more
        return false;
    }

    const auto add = [&](const Channel& c, const std::shared_ptr<SharedMemory>& m,
                         const std::vector<Entry>& in) {
        const auto entry =
            std::find_if(in.begin(), in.end(), [&](const Entry& e) { return e.tag == c.tag; });
        channels_.emplace(c.tag,
                          std::make_unique<SharedChannel>(c, m, m->at(entry->offset), under_way_));
    };
    for (const Channel& c : sent) add(c, of_ranks[c.to].memory, of_ranks[c.to].entries);
    for (const Channel& c : received) add(c, memory, entries);
    return true;
}

void SharedChannels::close(Ranks& ranks, std::span<const Channel> channels)
{
    bool on_gpus = false; // the same on all ranks
    for (const Channel& c : channels) {
        on_gpus = on_gpus_.erase(c.tag) > 0 || on_gpus;
        SharedChannel* const shared = find(c.tag);
        if (!shared) continue;
        if (c.to == ranks.rank()) left_.push_back(shared->memory());
        channels_.erase(c.tag);
    }
    // A GPU's memory may not be freed before others have closed it. Where a rank fails the others
    // may never come here: then it stays until the process ends.
    if (on_gpus && std::uncaught_exceptions() > 0) return;
    if (on_gpus) ranks.barrier();
    left_.clear();
}

} // namespace qcd

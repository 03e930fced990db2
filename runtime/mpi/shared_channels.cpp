#include "runtime/mpi/shared_channels.hpp"

#define OMPI_SKIP_MPICXX
#include <fcntl.h>
#include <mpi.h>
#include <starpu_mpi.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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

/// A sender's memory begins with a number by chance, which says that it is the one that was meant,
/// and with where its channels' data are.
struct Entry {
    long tag;
    std::size_t offset;
};
struct Head {
    unsigned long mark;
    std::size_t count;
    Entry* entries() { return reinterpret_cast<Entry*>(this + 1); }
};

/// What a rank tells the others; no descriptor: it has nothing for them.
struct Offer {
    int process = getpid(), descriptor = -1;
    unsigned long mark = 0;
    std::size_t bytes = 0;
};

starpu_data_handle_t word(int& value)
{
    starpu_data_handle_t handle;
    starpu_variable_data_register(&handle, STARPU_MAIN_RAM, reinterpret_cast<uintptr_t>(&value),
                                  sizeof value);
    return handle;
}

} // namespace

std::shared_ptr<SharedMemory> SharedMemory::make(std::size_t bytes)
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

std::shared_ptr<SharedMemory> SharedMemory::of(int process, int descriptor, std::size_t bytes)
{
    const std::string file =
        "/proc/" + std::to_string(process) + "/fd/" + std::to_string(descriptor);
    const int mine = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
    if (mine < 0) return nullptr;
    struct stat facts = {};
    if (fstat(mine, &facts) != 0 || std::size_t(facts.st_size) != bytes) {
        ::close(mine);
        return nullptr;
    }
    std::shared_ptr<SharedMemory> memory = map(bytes, mine);
    if (memory) memory->close_descriptor();
    return memory;
}

std::shared_ptr<SharedMemory> SharedMemory::map(std::size_t bytes, int descriptor)
{
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) {
        ::close(descriptor);
        return nullptr;
    }
    return std::shared_ptr<SharedMemory>(
        new SharedMemory(static_cast<std::byte*>(memory), bytes, descriptor));
}

SharedMemory::SharedMemory(std::byte* memory, std::size_t bytes, int descriptor)
    : memory_(memory), bytes_(bytes), descriptor_(descriptor)
{
    starpu_memory_pin(memory_, bytes_);
}

SharedMemory::~SharedMemory()
{
    starpu_memory_unpin(memory_, bytes_);
    munmap(memory_, bytes_);
    close_descriptor();
}

void SharedMemory::close_descriptor()
{
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
}

/// From its submission on. Of a sender's, the end may come when the channel is closed: StarPU-MPI
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
    starpu_vector_ptr_register(channel.data, STARPU_MAIN_RAM, reinterpret_cast<uintptr_t>(at),
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
        const auto let_go = [](void* data) {
            starpu_data_release_on_node(static_cast<starpu_data_handle_t>(data), STARPU_MAIN_RAM);
        };
        starpu_mpi_irecv_detached(c.done_, c.channel_.to, c.channel_.tag | done_tag, MPI_COMM_WORLD,
                                  let_go, c.channel_.data);
        starpu_mpi_isend_detached(c.there_, c.channel_.to, c.channel_.tag | there_tag,
                                  MPI_COMM_WORLD, Message::end_of, m);
    };
    starpu_data_acquire_on_node_cb(channel_.data, STARPU_MAIN_RAM, STARPU_R, written,
                                   new Message{this, under_way_, note});
}

void SharedChannel::receive(NotedMessage* note)
{
    ++under_way_;
    const auto may_be_written = [](void* message) {
        auto* const m = static_cast<Message*>(message);
        const auto is_there = [](void* arrived) {
            auto* const a = static_cast<Message*>(arrived);
            const starpu_data_handle_t data = a->of->channel_.data;
            const int reader = a->of->channel_.reader;
            a->end();
            starpu_data_release_on_node(data, STARPU_MAIN_RAM);
            send_on_to(reader, data);
        };
        const SharedChannel& c = *m->of;
        starpu_mpi_irecv_detached(c.there_, c.channel_.from, c.channel_.tag | there_tag,
                                  MPI_COMM_WORLD, is_there, m);
    };
    starpu_data_acquire_on_node_cb(channel_.data, STARPU_MAIN_RAM, STARPU_W, may_be_written,
                                   new Message{this, under_way_, note});
}

void SharedChannel::done_reading()
{
    const auto is_read = [](void* channel) {
        const auto& c = *static_cast<SharedChannel*>(channel);
        starpu_mpi_isend_detached(c.done_, c.channel_.from, c.channel_.tag | done_tag,
                                  MPI_COMM_WORLD, nullptr, nullptr);
        starpu_data_release_on_node(c.channel_.data, STARPU_MAIN_RAM);
    };
    starpu_data_acquire_on_node_cb(channel_.data, STARPU_MAIN_RAM, STARPU_R, is_read, this);
}

bool SharedChannels::open(Ranks& ranks, bool may, const std::vector<int>& host_of,
                          std::span<const Channel> channels)
{
    const auto host = [&](int rank) { return host_of[std::size_t(rank)]; };
    std::vector<Channel> sent, received;
    for (const Channel& c : channels)
        if (host(c.from) == host(c.to)) (c.from == ranks.rank() ? sent : received).push_back(c);

    Offer mine;
    mine.bytes = whole_pages(sizeof(Head) + sent.size() * sizeof(Entry));
    std::vector<Entry> entries;
    for (const Channel& c : sent) {
        entries.push_back({c.tag, mine.bytes});
        mine.bytes += whole_pages(c.bytes);
    }
    std::shared_ptr<SharedMemory> memory;
    if (may && !sent.empty()) memory = SharedMemory::make(mine.bytes);
    bool failed = !may || (!sent.empty() && !memory);
    if (memory) {
        std::random_device chance;
        mine.mark = chance() * (1UL << 32) + chance();
        mine.descriptor = memory->descriptor();
        auto* const head = new (memory->at(0)) Head{mine.mark, entries.size()};
        std::copy(entries.begin(), entries.end(), head->entries());
    }
    const std::vector<Offer> offers = ranks.all(mine);

    std::map<int, std::shared_ptr<SharedMemory>> of_ranks;
    for (const Channel& c : received) {
        const Offer& offer = offers[std::size_t(c.from)];
        std::shared_ptr<SharedMemory>& there = of_ranks[c.from];
        if (!there && offer.descriptor >= 0)
            there = SharedMemory::of(offer.process, offer.descriptor, offer.bytes);
        failed = failed || !there || reinterpret_cast<Head*>(there->at(0))->mark != offer.mark;
    }
    const bool shared = !ranks.any(failed);
    if (memory) memory->close_descriptor(); // all who want it have it
    if (!shared) return false;

    const auto add = [&](const Channel& c, const std::shared_ptr<SharedMemory>& m) {
        auto* const head = reinterpret_cast<Head*>(m->at(0));
        const Entry* const entry = std::find_if(head->entries(), head->entries() + head->count,
                                                [&](const Entry& e) { return e.tag == c.tag; });
        channels_.emplace(c.tag,
                          std::make_unique<SharedChannel>(c, m, m->at(entry->offset), under_way_));
    };
    for (const Channel& c : sent) add(c, memory);
    for (const Channel& c : received) add(c, of_ranks[c.from]);
    return true;
}

void SharedChannels::close(std::span<const Channel> channels)
{
    for (const Channel& c : channels) channels_.erase(c.tag);
}

} // namespace qcd

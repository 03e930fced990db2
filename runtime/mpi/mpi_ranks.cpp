// Ranks by MPI: a library of its own, which the program loads where a launcher has started it.

#include "runtime/mpi/sent_on.hpp"
#include "runtime/mpi/shared_channels.hpp"

#define OMPI_SKIP_MPICXX
#include <dlfcn.h>
#include <mpi.h>
#include <sched.h>
#include <starpu_mpi.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>

namespace qcd
{

namespace
{

using namespace std::chrono_literals;

/// Waits without taking a core from those who compute: at first by yielding it, then by sleeping.
/// False: it takes longer than that.
bool wait_for(MPI_Request& request, std::chrono::seconds most = std::chrono::hours(1000000))
{
    const auto begin = std::chrono::steady_clock::now();
    for (int done = 0;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done) return true;
        const auto waited = std::chrono::steady_clock::now() - begin;
        if (waited > most) return false;
        if (waited < 1ms)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(100us);
    }
}

/// A rank has threads that compute, that move messages, and that submits. Where they share cores,
/// one that waits in OpenMPI lets others go on: 20 iterations of two ranks on two cores take half
/// the time.
void yield_where_cores_are_few()
{
    constexpr int threads = 3;
    cpu_set_t cpus;
    const char* local = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (sched_getaffinity(0, sizeof cpus, &cpus) == 0 &&
        CPU_COUNT(&cpus) < threads * (local ? std::atoi(local) : 1))
        setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
}

/// MPI counts by int.
template <class F>
void in_pieces(std::size_t bytes, const F& f)
{
    constexpr std::size_t most = 1 << 30;
    for (std::size_t at = 0; at < bytes; at += most) f(at, int(std::min(most, bytes - at)));
}

/// The line of a rank that fails, on its way to the one that prints it.
struct Failure {
    int status = 0, rank = 0;
    char line[1024] = {};
};

/// What a rank does when another one fails, or itself. The first rank hears of it, prints one line
/// and ends all; a rank that it does not end speaks for itself.
class Failures
{
public:
    explicit Failures(void (*print)(const std::string&)) : print_(print)
    {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
        MPI_Comm_rank(comm_, &rank_);
        if (rank_ == 0) listener_ = std::thread([this] { listen(); });
    }
    ~Failures()
    {
        over_ = true;
        if (listener_.joinable()) listener_.join();
        MPI_Comm_free(&comm_);
    }

    void fail(const std::string& line, ExitStatus status)
    {
        ignore_the_launcher();
        if (rank_ != 0) {
            Failure mine{.status = status, .rank = rank_};
            std::snprintf(mine.line, sizeof mine.line, "%s", line.c_str());
            MPI_Request sent;
            MPI_Isend(&mine, sizeof mine, MPI_BYTE, 0, 0, comm_, &sent);
            const auto begin = std::chrono::steady_clock::now();
            for (int done = 0; std::chrono::steady_clock::now() - begin < patience;) {
                MPI_Test(&sent, &done, MPI_STATUS_IGNORE); // moves it on
                std::this_thread::sleep_for(10ms);
            }
        }
        end(line, status);
    }

private:
    static constexpr auto patience = 10s;
    static constexpr auto grace = 500ms;

    void listen()
    {
        while (!over_) {
            std::this_thread::sleep_for(50ms);
            int there = 0;
            MPI_Iprobe(MPI_ANY_SOURCE, 0, comm_, &there, MPI_STATUS_IGNORE);
            if (!there) continue;
            Failure failure;
            MPI_Recv(&failure, sizeof failure, MPI_BYTE, MPI_ANY_SOURCE, 0, comm_,
                     MPI_STATUS_IGNORE);
            std::this_thread::sleep_for(grace); // what all ranks find, the first says itself
            end("rank " + std::to_string(failure.rank) + ": " + failure.line,
                ExitStatus(failure.status));
        }
    }

    /// It signals all that are left.
    static void ignore_the_launcher()
    {
        for (const int signal : {SIGTERM, SIGINT}) std::signal(signal, SIG_IGN);
    }

    [[noreturn]] void end(const std::string& line, ExitStatus status)
    {
        const std::lock_guard once(mutex_); // held for ever
        ignore_the_launcher();
        print_(line);
        MPI_Abort(MPI_COMM_WORLD, status);
        _exit(status);
    }

    void (*print_)(const std::string&);
    MPI_Comm comm_;
    int rank_ = 0;
    std::atomic<bool> over_{false};
    std::mutex mutex_;
    std::thread listener_;
};

void note_made(void* message)
{
    auto* const m = static_cast<NotedMessage*>(message);
    m->end.made = MessageLog::now();
    starpu_data_release_on_node(m->data, STARPU_ACQUIRE_NO_NODE);
    m->done();
}

void note_end(void* message)
{
    auto* const m = static_cast<NotedMessage*>(message);
    m->end.ended = MessageLog::now();
    m->done();
}

/// What follows when data are here that came by MPI.
struct Received {
    starpu_data_handle_t data;
    int worker;         // of Channel
    NotedMessage* note; // may be null

    static void end_of(void* received)
    {
        const std::unique_ptr<Received> r(static_cast<Received*>(received));
        if (r->note) note_end(r->note);
        send_on_to(r->worker, r->data);
    }
};

class MpiRanks final : public Ranks
{
public:
    explicit MpiRanks(void (*print)(const std::string&))
    {
        yield_where_cores_are_few();
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
        if (provided < MPI_THREAD_MULTIPLE) {
            MPI_Finalize();
            throw DeviceError("mpirun: this MPI does not let several threads call it "
                              "(MPI_THREAD_MULTIPLE), which sums, faces and the host need");
        }
        MPI_Comm_dup(MPI_COMM_WORLD, &host_);
        MPI_Comm_dup(MPI_COMM_WORLD, &questions_);
        MPI_Comm_dup(MPI_COMM_WORLD, &meetings_);
        MPI_Comm_rank(host_, &rank_);
        MPI_Comm_size(host_, &size_);
        MPI_Comm local;
        MPI_Comm_split_type(host_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &local);
        MPI_Comm_rank(local, &local_rank_);
        MPI_Comm_size(local, &local_size_);
        int first = rank_; // of this host
        MPI_Bcast(&first, 1, MPI_INT, 0, local);
        MPI_Comm_free(&local);
        host_of_ = all(first);
        const auto forbids = [&](const char* name) {
            const char* const value = std::getenv(name);
            return any(value && std::strcmp(value, "0") == 0);
        };
        may_share_ = forbids("QCD_SHARED_FACES") ? SharedPlace::none
                     : forbids("QCD_GPU_FACES")  ? SharedPlace::host
                                                 : SharedPlace::gpu;
        place_ = std::min(may_share_, SharedPlace::host);
        failures_.emplace(print);
    }
    ~MpiRanks()
    {
        barrier(); // one that fails is heard until all are here
        std::signal(SIGTERM,
                    SIG_IGN); // the launcher's, when one has ended with another status than 0
        failures_.reset();
        MPI_Comm_free(&meetings_);
        MPI_Comm_free(&questions_);
        MPI_Comm_free(&host_);
        MPI_Finalize();
    }

    void begin_session() override { starpu_mpi_init_comm(nullptr, nullptr, 0, MPI_COMM_WORLD); }
    void end_session() override { starpu_mpi_shutdown(); }
    void send(starpu_data_handle_t data, int to, long tag, const char* what) override
    {
        if (SharedChannel* const shared = shared_.find(tag))
            return shared->send(noted(data, what, rank_, to, tag, 1));
        NotedMessage* const m = noted(data, what, rank_, to, tag, 2);
        if (m) starpu_data_acquire_on_node_cb(data, STARPU_ACQUIRE_NO_NODE, STARPU_R, note_made, m);
        starpu_mpi_isend_detached(data, to, tag, MPI_COMM_WORLD, m ? note_end : nullptr, m);
    }
    void receive(starpu_data_handle_t data, int from, long tag, const char* what) override
    {
        NotedMessage* const m = noted(data, what, from, rank_, tag, 1);
        if (SharedChannel* const shared = shared_.find(tag)) return shared->receive(m);
        const auto reader = reader_of_.find(tag);
        starpu_mpi_irecv_detached(
            data, from, tag, MPI_COMM_WORLD, Received::end_of,
            new Received{data, reader == reader_of_.end() ? -1 : reader->second, m});
    }
    void open(std::span<const Channel> channels) override
    {
        for (const Channel& c : channels)
            if (c.to == rank_ && c.worker >= 0) reader_of_[c.tag] = c.worker;
        // Where the host's memory is not shared it is not tried again, and all ranks know. What GPUs
        // can depends on the plan.
        if (may_share_ == SharedPlace::none) return;
        place_ =
            shared_.open(*this, cuda_aware() ? SharedPlace::none : may_share_, host_of_, channels);
        if (place_ == SharedPlace::none) may_share_ = SharedPlace::none;
    }
    void done_reading(long tag) override
    {
        if (SharedChannel* const shared = shared_.find(tag)) shared->done_reading();
    }
    void close(std::span<const Channel> channels) override
    {
        for (const Channel& c : channels) reader_of_.erase(c.tag);
        shared_.close(*this, channels);
    }
    void wait_for_messages() override
    {
        starpu_mpi_wait_for_all(MPI_COMM_WORLD);
        while (shared_.under_way() > 0) std::this_thread::sleep_for(100us);
    }
    Transport transport() const override
    {
        if (cuda_aware()) return Transport::cuda_aware;
        if (local_size_ < size_ || place_ == SharedPlace::none) return Transport::staged;
        return place_ == SharedPlace::gpu ? Transport::gpu_to_gpu : Transport::shared;
    }

    void barrier() override
    {
        MPI_Request request;
        MPI_Ibarrier(host_, &request);
        wait_for(request);
    }
    void broadcast(std::span<std::byte> bytes, int from) override
    {
        in_pieces(bytes.size(), [&](std::size_t at, int count) {
            MPI_Request request;
            MPI_Ibcast(bytes.data() + at, count, MPI_BYTE, from, host_, &request);
            wait_for(request);
        });
    }
    std::vector<std::byte> gather(std::span<const std::byte> mine) override
    {
        std::vector<std::byte> all(mine.size() * std::size_t(size_));
        const int count = int(mine.size());
        MPI_Request request;
        MPI_Iallgather(mine.data(), count, MPI_BYTE, all.data(), count, MPI_BYTE, host_, &request);
        wait_for(request);
        return all;
    }
    void send_bytes(std::span<const std::byte> bytes, int to) override
    {
        in_pieces(bytes.size(), [&](std::size_t at, int count) {
            MPI_Request request;
            MPI_Isend(bytes.data() + at, count, MPI_BYTE, to, 0, host_, &request);
            wait_for(request);
        });
    }
    void receive_bytes(std::span<std::byte> bytes, int from) override
    {
        in_pieces(bytes.size(), [&](std::size_t at, int count) {
            MPI_Request request;
            MPI_Irecv(bytes.data() + at, count, MPI_BYTE, from, 0, host_, &request);
            wait_for(request);
        });
    }
    void exchange_bytes(std::span<const std::byte> mine, int to, std::span<std::byte> theirs,
                        int from) override
    {
        in_pieces(std::max(mine.size(), theirs.size()), [&](std::size_t at, int) {
            const auto count = [&](std::size_t bytes) {
                return bytes > at ? int(std::min<std::size_t>(bytes - at, 1 << 30)) : 0;
            };
            MPI_Request in, out;
            MPI_Irecv(theirs.data() + at, count(theirs.size()), MPI_BYTE, from, 1, host_, &in);
            MPI_Isend(mine.data() + at, count(mine.size()), MPI_BYTE, to, 1, host_, &out);
            wait_for(in);
            wait_for(out);
        });
    }

    void ask(bool mine) override
    {
        mine_ = mine;
        MPI_Iallreduce(&mine_, &any_, 1, MPI_INT, MPI_LOR, questions_, &question_);
    }
    bool answer() override
    {
        wait_for(question_);
        return any_ != 0;
    }

    bool all_come(std::chrono::seconds patience) override
    {
        MPI_Request request;
        MPI_Ibarrier(meetings_, &request);
        return wait_for(request, patience);
    }

    void abort(const std::string& line, ExitStatus status) override
    {
        failures_->fail(line, status);
    }

private:
    /// What StarPU-MPI has found out, which it has no function for.
    static bool cuda_aware()
    {
        const auto* const found =
            static_cast<const int*>(dlsym(RTLD_DEFAULT, "_starpu_mpi_has_cuda"));
        return found && *found > 0;
    }
    /// Null where none are noted. things: that are waited for.
    NotedMessage* noted(starpu_data_handle_t data, const char* what, int from, int to, long tag,
                        int things) const
    {
        if (!log_) return nullptr;
        MessageEnd end{.from = from, .to = to, .tag = tag};
        std::snprintf(end.what.data(), end.what.size(), "%s", what);
        end.bytes = double(starpu_data_get_size(data));
        return new NotedMessage{log_, data, end, things};
    }

    MPI_Comm host_, questions_, meetings_;
    std::optional<Failures> failures_;
    std::vector<int> host_of_; ///< of each rank: the first rank of its host
    SharedPlace may_share_ = SharedPlace::gpu,
                place_ = SharedPlace::host; ///< place: of the last ones
    SharedChannels shared_;
    std::unordered_map<long, int> reader_of_; ///< by the tags of channels that have one here
    int mine_ = 0, any_ = 0;
    MPI_Request question_ = MPI_REQUEST_NULL;
};

} // namespace

} // namespace qcd

extern "C" __attribute__((visibility("default"))) qcd::Ranks*
qcd_make_mpi_ranks(void (*print)(const std::string&))
{
    return new qcd::MpiRanks(print);
}

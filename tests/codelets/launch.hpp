#pragma once
// One operation on one backend: memory in, kernel, memory out. Cases test launches, not formulas.

#include "runtime/codelet.hpp"
#include "runtime/peer_memory.hpp"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace qcd::test
{

/// 64-byte aligned memory, as tiles have it.
template <class T>
struct Aligned {
    using value_type = T;
    Aligned() = default;
    template <class U>
    Aligned(const Aligned<U>&)
    {
    }
    T* allocate(std::size_t n)
    {
        return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(64)));
    }
    void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(64)); }
    bool operator==(const Aligned&) const { return true; }
};
template <class T>
using Buffer = std::vector<T, Aligned<T>>;

/// The memory of one slot of an operation. Inputs are compared with a copy after the run.
struct SlotMemory {
    void* data = nullptr;
    std::size_t elements = 0, element_bytes = 1;
    bool input = false;
    bool peer = false; // a worker's memory that is no StarPU data
    std::size_t bytes() const { return elements * element_bytes; }
};
inline constexpr SlotMemory absent{};
template <class T>
SlotMemory in(const Buffer<T>& b)
{
    return {const_cast<T*>(b.data()), b.size(), sizeof(T), true};
}
/// An output or an operand that is updated.
template <class T>
SlotMemory out(Buffer<T>& b)
{
    return {b.data(), b.size(), sizeof(T), false};
}
inline SlotMemory peer(const PeerMemory& m) { return {.data = m.at(0), .peer = true}; }

/// CPU kernels are called directly, one backend per instruction set of this machine, and in three
/// shares that go downwards in the best one; the others run as StarPU tasks on a worker of their
/// kind, each twice, so that it goes through its tile in both directions.
class Backend
{
public:
    static Backend cpu(Isa isa, int shares = 1) { return Backend("cpu", isa, shares); }
    static Backend opencl() { return Backend("opencl"); }
    static Backend cuda() { return Backend("cuda"); }

    std::string name() const
    {
        if (kind_ != "cpu") return kind_;
        return fmt::format("cpu {}{}", to_string(isa_), shares_ > 1 ? " in shares" : "");
    }
    /// Has it operations whose workers write each other's memory?
    bool has_peers() const { return kind_ != "opencl"; }
    /// May this program read peer memory?
    bool is_host() const { return kind_ == "cpu"; }
    std::unique_ptr<PeerMemory> peer_memory(std::size_t bytes) const;
    /// Slots in the operation's order; what is missing at the end is absent. layers: of Manner.
    /// Fails the case when an input changed.
    template <class Args>
    void run(const Codelet& codelet, const Args& args, const std::vector<SlotMemory>& slots,
             int layers = 1) const
    {
        run_raw(codelet, &args, slots, layers);
    }

private:
    explicit Backend(std::string kind, Isa isa = Isa::generic, int shares = 1)
        : kind_(std::move(kind)), isa_(isa), shares_(shares)
    {
    }
    void run_raw(const Codelet&, const void* args, std::vector<SlotMemory>, int layers) const;
    void start() const;
    void run_kernel(const Codelet&, const void* args, void* const* slots, int layers) const;
    std::string kind_;
    Isa isa_;
    int shares_;
};

/// Those present here, plain C++ first. Throws when one that QCD_REQUIRE names is not.
const std::vector<Backend>& backends();

/// Fails the case when the two differ in a byte.
void require_same_bytes(const std::string& what, const std::vector<char>& a,
                        const std::vector<char>& b);

/// The bytes of several buffers in a row.
template <class... T>
std::vector<char> bytes_of(const Buffer<T>&... b)
{
    std::vector<char> all;
    const auto add = [&](const void* p, std::size_t n) {
        const std::size_t old = all.size();
        all.resize(old + n);
        if (n > 0) std::memcpy(all.data() + old, p, n);
    };
    (add(b.data(), b.size() * sizeof(T)), ...);
    return all;
}

/// body(backend) checks one backend and returns its output; all must return the same bytes.
template <class Body>
void on_every_backend(const Body& body)
{
    std::vector<char> first;
    for (std::size_t i = 0; i < backends().size(); ++i) {
        const std::vector<char> bytes = body(backends()[i]);
        if (i == 0) first = bytes;
        require_same_bytes(fmt::format("{} and {}", backends()[0].name(), backends()[i].name()),
                           first, bytes);
    }
}

} // namespace qcd::test

#include "lattice/files/running_xxh64.hpp"

#define XXH_STATIC_LINKING_ONLY // the state's size
#include <xxhash.h>

namespace qcd
{

struct RunningXxh64::State {
    XXH64_state_t* hash = XXH64_createState();
    ~State() { XXH64_freeState(hash); }
};

RunningXxh64::RunningXxh64() : state_(std::make_unique<State>()) { XXH64_reset(state_->hash, 0); }

RunningXxh64::~RunningXxh64() = default;

void RunningXxh64::add(std::span<const std::byte> bytes)
{
    XXH64_update(state_->hash, bytes.data(), bytes.size());
}

std::span<std::byte> RunningXxh64::state()
{
    return std::as_writable_bytes(std::span(state_->hash, 1));
}

std::uint64_t RunningXxh64::value() const { return XXH64_digest(state_->hash); }

} // namespace qcd

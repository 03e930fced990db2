#include "lattice/spinor_digest.hpp"

#define XXH_STATIC_LINKING_ONLY // the state's size
#include <xxhash.h>

namespace qcd
{

struct SpinorDigest::State {
    XXH64_state_t* hash = XXH64_createState();
    int real_bytes;
    ~State() { XXH64_freeState(hash); }
};

SpinorDigest::SpinorDigest(int real_bytes) : state_(std::make_unique<State>())
{
    state_->real_bytes = real_bytes;
    XXH64_reset(state_->hash, 0);
}

SpinorDigest::~SpinorDigest() = default;

void SpinorDigest::add_site(const double spinor[24])
{
    if (state_->real_bytes == 8) {
        XXH64_update(state_->hash, spinor, 24 * sizeof(double));
        return;
    }
    float single[24];
    for (int i = 0; i < 24; ++i) single[i] = float(spinor[i]);
    XXH64_update(state_->hash, single, sizeof single);
}

std::span<std::byte> SpinorDigest::state()
{
    return std::as_writable_bytes(std::span(state_->hash, 1));
}

std::uint64_t SpinorDigest::value() const { return XXH64_digest(state_->hash); }

} // namespace qcd

#include "drivers/spec/value.hpp"

#include <atomic>
#include <mutex>

namespace qcd
{

namespace
{

std::atomic<ReadRecord*> record = nullptr;
std::mutex mutex;
thread_local int pauses = 0;

} // namespace

ReadRecord::ReadRecord() { record = this; }
ReadRecord::~ReadRecord() { record = nullptr; }

ReadRecord::Pause::Pause() { ++pauses; }
ReadRecord::Pause::~Pause() { --pauses; }

void ReadRecord::note(std::string_view option)
{
    if (!record.load(std::memory_order_relaxed) || pauses > 0) return;
    const std::lock_guard lock(mutex);
    if (ReadRecord* r = record) r->options_.insert(option);
}

} // namespace qcd

#include "tasks/linked_workers.hpp"

#include "codelets/device/sent_word.h"
#include "codelets/runtime/peer_memory.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace qcd
{

namespace
{

struct LinkedWorker {
    LinkedWorker(int worker, std::size_t inbox_bytes) : inbox(worker, inbox_bytes)
    {
        order.worker = worker;
        starpu_vector_data_register(&order.handle, -1, 0, 1, sizeof(long));
    }
    ~LinkedWorker() { unregister(order); }
    LinkedWorker(const LinkedWorker&) = delete;
    LinkedWorker& operator=(const LinkedWorker&) = delete;

    Data order;
    PeerMemory inbox;
};

constexpr std::size_t sums_bytes = QCD_SENT_SUMS * sizeof(sent_word);

std::vector<int> numbers;
std::vector<std::unique_ptr<LinkedWorker>> linked; // of these numbers
unsigned exchanges = 0;

} // namespace

void link_workers(const std::vector<int>& workers)
{
    if (!linked.empty()) wait_for_all(); // who still writes into the inbox of another?
    numbers.clear();
    linked.clear();
    exchanges = 0;
    std::vector<std::unique_ptr<LinkedWorker>> made; // all, or none is left when StarPU ends
    for (const int worker : workers)
        made.push_back(
            std::make_unique<LinkedWorker>(worker, 2 * (workers.size() - 1) * sums_bytes));
    linked = std::move(made);
    numbers = workers;
}

const std::vector<int>& linked_workers() { return numbers; }

Data order_of(int worker)
{
    const auto i = std::find(numbers.begin(), numbers.end(), worker) - numbers.begin();
    return linked.at(i)->order;
}

SumExchange::SumExchange() : number_(++exchanges) {}

Data SumExchange::inbox(int i) const
{
    const std::size_t turn = number_ % 2 * (linked.size() - 1) * sums_bytes;
    return {.worker = numbers[i], .peer = linked[i]->inbox.at(turn)};
}

Data SumExchange::place(int i, int in_inbox_of) const
{
    Data place = inbox(in_inbox_of);
    place.peer = static_cast<char*>(place.peer) + (i < in_inbox_of ? i : i - 1) * sums_bytes;
    return place;
}

} // namespace qcd

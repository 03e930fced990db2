#include "runtime/owned_data.hpp"

#include <cstdint>

namespace qcd
{

HostData::HostData(Graph& graph, std::size_t elements, std::size_t element_bytes, int worker,
                   int part)
    : graph_(graph), memory_(elements * element_bytes), data_{.worker = worker, .part = part}
{
    starpu_memory_pin(memory_.data(), memory_.size());
    starpu_vector_data_register(&data_.handle, STARPU_MAIN_RAM,
                                reinterpret_cast<uintptr_t>(memory_.data()), elements,
                                element_bytes);
}

HostData::~HostData()
{
    graph_.unregister(data_);
    starpu_memory_unpin(memory_.data(), memory_.size());
}

StarpuData::StarpuData(Graph& graph, std::size_t elements, std::size_t element_bytes, int worker,
                       int part)
    : graph_(graph), data_{.worker = worker, .part = part}
{
    starpu_vector_data_register(&data_.handle, -1, 0, elements, element_bytes);
}

StarpuData::~StarpuData() { graph_.unregister(data_); }

} // namespace qcd

#include "drivers/bench/heat.hpp"

#include <utility>

namespace qcd
{

namespace
{

template <class T>
T* slot(void* const* slots, int s)
{
    return static_cast<T*>(slots[s]);
}

void copy(const int* from, int stride, int count, int* to)
{
    for (int i = 0; to && i < count; ++i) to[i] = from[i * stride];
}

void heat_faces(const void* args, void* const* slots, CpuShare share)
{
    if (share.index > 0) return;
    const auto& a = *static_cast<const HeatArgs*>(args);
    const int* u = slot<const int>(slots, heat_faces_u);
    copy(u, a.nx, a.ny, slot<int>(slots, heat_faces_faces));
    copy(u + a.nx - 1, a.nx, a.ny, slot<int>(slots, heat_faces_faces + 1));
    copy(u, 1, a.nx, slot<int>(slots, heat_faces_faces + 2));
    copy(u + a.nx * (a.ny - 1), 1, a.nx, slot<int>(slots, heat_faces_faces + 3));
}

void heat_step(const void* args, void* const* slots, CpuShare share)
{
    const auto& a = *static_cast<const HeatArgs*>(args);
    const auto face = [&](int f) { return slot<const int>(slots, heat_step_faces + f); };
    for (int y = share.first(a.ny); y < share.end(a.ny); ++y) {
        const int* row = slot<const int>(slots, heat_step_u) + y * a.nx;
        int* next = slot<int>(slots, heat_step_next) + y * a.nx;
        for (int x = 0; x < a.nx; ++x) {
            next[x] = row[x];
            const auto exchange_with = [&](const int* there, int i) {
                if (there) next[x] += there[i] / 8 - row[x] / 8;
            };
            x + 1 < a.nx ? exchange_with(row, x + 1) : exchange_with(face(0), y);
            x > 0 ? exchange_with(row, x - 1) : exchange_with(face(1), y);
            y + 1 < a.ny ? exchange_with(row + a.nx, x) : exchange_with(face(2), x);
            y > 0 ? exchange_with(row - a.nx, x) : exchange_with(face(3), x);
        }
    }
}

void heat_sum(const void* args, void* const* slots, CpuShare share)
{
    if (share.index > 0) return;
    const auto& a = *static_cast<const HeatArgs*>(args);
    auto& total = *slot<std::int64_t>(slots, heat_sum_total);
    for (int i = 0; i < a.nx * a.ny; ++i) total += slot<const int>(slots, heat_sum_u)[i];
}

/// A block is a row.
int rows(const void* args) { return static_cast<const HeatArgs*>(args)->ny; }

Slot plane(const char* name, Mode mode) { return {name, "temperatures", mode}; }
Slot faces(Mode mode)
{
    return {.name = "faces", .holds = "temperatures", .mode = mode, .optional = true, .count = 4};
}

Kernels on_cores(CpuKernel kernel) { return {.cpu = {kernel, kernel, kernel}}; }

} // namespace

const Codelet& heat_faces_codelet()
{
    Slot u = plane("u", Mode::reads);
    u.share = 0;
    static const Operation operation{.name = "heat_faces",
                                     .args_size = sizeof(HeatArgs),
                                     .slots = {u, faces(Mode::writes)},
                                     .blocks = one_block,
                                     .sweeps = false,
                                     .urgent = true};
    static const Codelet codelet(operation, 0, operation.name, on_cores(heat_faces));
    return codelet;
}

const Codelet& heat_step_codelet()
{
    static const Operation operation{
        .name = "heat_step",
        .args_size = sizeof(HeatArgs),
        .slots = {plane("u", Mode::reads), faces(Mode::reads), plane("next", Mode::writes)},
        .blocks = rows};
    static const Codelet codelet(operation, 0, operation.name, on_cores(heat_step));
    return codelet;
}

const Codelet& heat_sum_codelet()
{
    static const Operation operation{
        .name = "heat_sum",
        .args_size = sizeof(HeatArgs),
        .slots = {plane("u", Mode::reads),
                  {.name = "total", .holds = "heat", .mode = Mode::updates}},
        .blocks = one_block};
    static const Codelet codelet(operation, 0, operation.name, on_cores(heat_sum));
    return codelet;
}

Heat::Heat(Graph& graph, Grid<2> grid, const std::vector<int>& u)
    : graph_(graph), grid_(std::move(grid)), parts_(grid_.part_count()),
      total_(graph, 1, sizeof(std::int64_t), graph.owner(0, 1))
{
    for (int p = 0; p < grid_.part_count(); ++p) {
        const int worker = graph.owner(p, grid_.part_count());
        for (auto* field : {&parts_[p].u, &parts_[p].next})
            *field = std::make_unique<HostData>(graph, grid_.cells(p), sizeof(int), worker, p);
        for (int f = 0; f < grid_.faces; ++f)
            if (grid_.receiver(p, f) >= 0)
                parts_[p].faces[f] = std::make_unique<StarpuData>(graph, grid_.face_cells(p, f),
                                                                  sizeof(int), worker, p);
    }
    visit(u, STARPU_W, [](int cell, int& in_part) { in_part = cell; });
}

void Heat::step()
{
    for (int p = 0; p < grid_.part_count(); ++p) {
        std::vector<Operand> slots = {parts_[p].u->data()};
        for (const auto& face : parts_[p].faces) slots.push_back(face ? face->data() : Data{});
        graph_.submit(heat_faces_codelet(), args(p), slots);
    }
    for (int p = 0; p < grid_.part_count(); ++p) {
        std::vector<Operand> slots = {parts_[p].u->data()};
        for (int f = 0; f < grid_.faces; ++f) {
            const int from = grid_.sender(p, f);
            slots.push_back(from >= 0 ? parts_[from].faces[f]->data() : Data{});
        }
        slots.push_back(parts_[p].next->data());
        graph_.submit(heat_step_codelet(), args(p), slots);
    }
    for (Part& part : parts_) std::swap(part.u, part.next);
}

std::int64_t Heat::total()
{
    auto& total = *static_cast<std::int64_t*>(total_.host());
    graph_.acquire(total_.data(), STARPU_W);
    total = 0;
    graph_.release(total_.data());
    for (int p = 0; p < grid_.part_count(); ++p)
        graph_.submit(heat_sum_codelet(), args(p), {parts_[p].u->data(), total_.data()});
    graph_.acquire(total_.data(), STARPU_R);
    const std::int64_t sum = total;
    graph_.release(total_.data());
    return sum;
}

std::vector<int> Heat::cells()
{
    std::vector<int> u(std::size_t(grid_.extents()[0]) * grid_.extents()[1]);
    visit(u, STARPU_R, [](int& cell, int in_part) { cell = in_part; });
    return u;
}

template <class Cells, class F>
void Heat::visit(Cells& here, starpu_data_access_mode mode, const F& f)
{
    for (int p = 0; p < grid_.part_count(); ++p) {
        const HeatArgs a = args(p);
        const auto [x0, y0] = grid_.origin(p);
        graph_.acquire(parts_[p].u->data(), mode);
        int* in_part = static_cast<int*>(parts_[p].u->host());
        for (int y = 0; y < a.ny; ++y)
            for (int x = 0; x < a.nx; ++x)
                f(here[x0 + x + std::size_t(y0 + y) * grid_.extents()[0]], in_part[x + y * a.nx]);
        graph_.release(parts_[p].u->data());
    }
}

} // namespace qcd

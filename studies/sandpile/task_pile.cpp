#include "studies/sandpile/task_pile.hpp"

#include "studies/sandpile/operations.hpp"

namespace qcd::studies
{

SynchronousPile::SynchronousPile(Graph& graph, const Grid<2>& grid, const Pile& pile,
                                 int sweeps_of_a_task, bool overlaps)
    : graph_(graph), grid_(grid), sweeps_(sweeps_of_a_task), overlaps_(overlaps), u_(graph, grid),
      next_(graph, grid), faces_(graph, grid, {overlaps ? 0 : 1, sweeps_of_a_task}, sizeof(int))
{
    u_.set(pile.grains);
}

void SynchronousPile::submit(const Flags* flags, int look)
{
    faces_.make([&](int p) { return u_.data(p); });
    for (int p = 0; p < grid_.part_count(); ++p) {
        const auto [nx, ny] = grid_.extents(p);
        const Data flag = flags ? flags->data(p) : Data{};
        if (overlaps_)
            graph_.submit(
                pile_overlap_codelet(), pile_overlap_args{nx, ny, sweeps_, look},
                {u_.data(p), faces_.seen_by(p, 2), faces_.seen_by(p, 3), next_.data(p), flag});
        else
            graph_.submit(pile_step_codelet(), pile_step_args{nx, ny, look},
                          {u_.data(p), faces_.seen_by(p, 0), faces_.seen_by(p, 1),
                           faces_.seen_by(p, 2), faces_.seen_by(p, 3), next_.data(p), flag});
    }
    u_.swap(next_);
}

Settled SynchronousPile::settle(const SettleControl& c)
{
    const auto one = [](int) { return 1; };
    const Flags flags[2] = {{graph_, grid_, sizeof(int), one}, {graph_, grid_, sizeof(int), one}};
    Settled s;
    for (int look = 1; !s.stable && c.goes_on(s.sweeps); ++look) {
        {
            Graph::Batch batch(graph_);
            for (int i = 1; i <= c.look; ++i) {
                const Graph::Iteration mark(graph_, int(s.sweeps / sweeps_));
                submit(i == c.look ? &flags[look % 2] : nullptr, look);
                s.sweeps += sweeps_;
                s.tasks += grid_.part_count();
            }
        }
        if (look == 1) continue;
        s.stable = true;
        for (int p = 0; p < grid_.part_count(); ++p)
            if (read_first<int>(flags[1 - look % 2].of(p)) == look - 1) s.stable = false;
    }
    graph_.wait();
    return s;
}

LazyPile::LazyPile(Graph& graph, const Grid<2>& grid, const Pile& pile)
    : graph_(graph), grid_(grid), u_(graph, grid), parts_(std::size_t(grid.part_count()))
{
    for (int p = 0; p < grid.part_count(); ++p) {
        const int worker = graph.owner(p, grid.part_count());
        Part& part = parts_[std::size_t(p)];
        for (int f = 0; f < Grid<2>::faces; ++f)
            if (grid.sender(p, f) >= 0)
                part.sent[f] = std::make_unique<HostData>(graph, std::size_t(grid.face_cells(p, f)),
                                                          sizeof(int), worker, p);
        for (auto& report : part.reports)
            report = std::make_unique<HostData>(graph, pile_report_words, sizeof(int), worker, p);
    }
    u_.set(pile.grains);
}

void LazyPile::submit(int p, long round, int sweeps)
{
    Part& part = parts_[std::size_t(p)];
    const auto [nx, ny] = grid_.extents(p);
    HostData* report = part.reports[part.reported++ % 2].get();
    std::vector<Operand> slots{u_.data(p)};
    for (int f = 0; f < Grid<2>::faces; ++f) { // over border f comes what that part sent over the
        const int from = grid_.sender(p, f);   // border on its other side
        slots.push_back(from < 0 ? Data{} : parts_[std::size_t(from)].sent[f ^ 1]->data());
    }
    for (const auto& sent : part.sent) slots.push_back(sent ? sent->data() : Data{});
    slots.push_back(report->data());
    graph_.submit(pile_avalanche_codelet(), pile_avalanche_args{nx, ny, sweeps}, slots);
    part.submitted = round;
    pending_.push_back({p, round, report});
}

void LazyPile::read_reports(long before_round)
{
    while (!pending_.empty() && pending_.front().round < before_round) {
        const Submitted s = pending_.front();
        pending_.pop_front();
        graph_.acquire(s.report->data(), STARPU_R);
        const int* words = static_cast<const int*>(s.report->host());
        parts_[std::size_t(s.part)].unstable = words[pile_report_unstable] != 0;
        for (int f = 0; f < Grid<2>::faces; ++f)
            if (words[pile_report_sent + f])
                parts_[std::size_t(grid_.sender(s.part, f))].received = s.round;
        graph_.release(s.report->data());
    }
}

Settled LazyPile::settle(const SettleControl& c)
{
    constexpr int late = 2; // rounds: the other colour's tasks are under way meanwhile
    Settled s;
    long idle_rounds = 0;
    for (long round = 0; idle_rounds < 2 + late && c.goes_on(s.sweeps / 2); ++round) {
        read_reports(round - late + 1);
        bool some = false;
        const Graph::Iteration mark(graph_, int(round));
        for (int p = 0; p < grid_.part_count(); ++p) {
            const auto place = grid_.place_of(p);
            if ((place[0] + place[1]) % 2 != round % 2 || !wants_task(parts_[std::size_t(p)]))
                continue;
            submit(p, round, c.sweeps);
            ++s.tasks;
            some = true;
        }
        idle_rounds = some ? 0 : idle_rounds + 1;
        s.sweeps += c.sweeps;
    }
    graph_.wait();
    s.sweeps /= 2; // each round had one half of the parts
    s.stable = idle_rounds == 2 + late;
    return s;
}

} // namespace qcd::studies

#pragma once
// A workload that has nothing to do with QCD: heat in whole numbers on a grid of two dimensions. It
// uses what is in runtime/ alone, and shows what any other workload on it needs: operations, data,
// and an object that submits the ones on the others. The plan of its graph decides all else.

#include "runtime/grid.hpp"
#include "runtime/owned_data.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace qcd
{

/// A part of nx times ny cells, x fastest.
struct HeatArgs {
    int nx, ny;
};

/// Slots of faces are numbered as the grid's, and absent where nobody borders.
enum HeatFacesSlot { heat_faces_u, heat_faces_faces, heat_faces_slots = heat_faces_faces + 4 };
enum HeatStepSlot {
    heat_step_u,
    heat_step_faces,
    heat_step_next = heat_step_faces + 4,
    heat_step_slots
};
enum HeatSumSlot { heat_sum_u, heat_sum_total, heat_sum_slots };

/// Copies what borders on other parts.
///   [u]      R  nx ny ints
///   [faces]  W  ny ints each of the lower and upper face in x, nx ints each of those in y
const Codelet& heat_faces_codelet();

/// Each cell gives an eighth of its heat, rounded down, to each of its neighbours:
/// next(x) = u(x) + sum over neighbours y of (u(y)/8 - u(x)/8).
///   [u]      R  nx ny ints, not negative
///   [faces]  R  of the parts around (Grid::sender); beyond an absent one is nothing
///   [next]   W  nx ny ints; not the memory of u
const Codelet& heat_step_codelet();

/// total <- total + sum of u.
///   [u]      R   nx ny ints
///   [total]  RW  1 long
const Codelet& heat_sum_codelet();

/// The heat of all cells, in parts.
class Heat
{
public:
    /// u: of cell (x, y) at x + LX y, from 0 on.
    Heat(Graph&, Grid<2>, const std::vector<int>& u);

    /// Submits one step.
    void step();
    /// Submits and waits for the sum over all cells.
    std::int64_t total();
    /// Waits for all cells: as in the constructor.
    std::vector<int> cells();

private:
    HeatArgs args(int part) const { return {grid_.extents(part)[0], grid_.extents(part)[1]}; }
    /// Calls f(cell of `here`, the same in its part's memory) for all cells.
    template <class Cells, class F>
    void visit(Cells& here, starpu_data_access_mode mode, const F& f);

    struct Part {
        std::unique_ptr<HostData> u, next;
        std::unique_ptr<StarpuData> faces[Grid<2>::faces]; // null where nobody borders
    };
    Graph& graph_;
    Grid<2> grid_;
    std::vector<Part> parts_;
    HostData total_;
};

} // namespace qcd

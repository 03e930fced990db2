#pragma once
// Halos of fields: every part's faces, made before a step and read by the parts around.

#include "runtime/codelet.hpp"
#include "runtime/grid.hpp"
#include "runtime/owned_data.hpp"
#include "studies/frame/faces.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace qcd
{

/// Copies what borders on other parts.
///   [u]      R  the part
///   [faces]  W  its faces, numbered as the grid's; absent where nobody borders
const Codelet& faces_codelet();

} // namespace qcd

namespace qcd::studies
{

template <int D>
class Faces
{
public:
    /// Faces of cells of `cell_bytes` bytes, a multiple of four; layers[mu] of a part, 0: none in
    /// that direction. A direction that is not cut has no faces.
    Faces(Graph& graph, const Grid<D>& grid, const std::array<int, D>& layers, int cell_bytes)
        : graph_(graph), grid_(grid), layers_(layers), words_(cell_bytes / 4),
          parts_(std::size_t(grid.part_count()))
    {
        for (int p = 0; p < grid.part_count(); ++p)
            for (int f = 0; f < Grid<D>::faces; ++f) {
                const int mu = f / 2;
                if (layers[mu] > 0 && grid.cut(mu) && grid.receiver(p, f) >= 0)
                    parts_[std::size_t(p)].faces[f] = std::make_unique<StarpuData>(
                        graph, std::size_t(grid.face_cells(p, f, layers[mu])) * words_, 4,
                        graph.owner(p, grid.part_count()), p);
            }
    }

    /// From a field's parts: data_of(part).
    template <class DataOf>
    void make(const DataOf& data_of)
    {
        if (!grid_.any_cut()) return;
        for (int p = 0; p < grid_.part_count(); ++p) {
            faces_args a{.columns = 1, .rows = 6, .n = {1, 1, 1}, .layers = {}};
            for (int mu = 0; mu < D; ++mu) {
                const int words = mu == 0 ? words_ : 1;
                a.n[mu] = grid_.extents(p)[mu] * words;
                if (!grid_.cut(mu)) continue;
                a.layers[mu] = layers_[mu] * words;
                a.columns =
                    std::max(a.columns, int(grid_.face_cells(p, 2 * mu, layers_[mu])) * words_);
            }
            std::vector<Operand> slots{data_of(p)};
            for (const auto& face : parts_[std::size_t(p)].faces)
                slots.push_back(face ? face->data() : Data{});
            graph_.submit(faces_codelet(), a, slots);
        }
    }
    /// What a part reads: face f of the grid's numbers, from the part there; none: absent.
    Data seen_by(int part, int f) const
    {
        const int from = grid_.cut(f / 2) ? grid_.sender(part, f) : -1;
        if (from < 0 || !parts_[std::size_t(from)].faces[f]) return {};
        return parts_[std::size_t(from)].faces[f]->data();
    }

private:
    struct Part {
        std::unique_ptr<StarpuData> faces[Grid<D>::faces];
    };
    Graph& graph_;
    Grid<D> grid_;
    std::array<int, D> layers_;
    int words_;
    std::vector<Part> parts_;
};

} // namespace qcd::studies

#include "codelets/multigrid/level_kernels.hpp"
#include "codelets/multigrid/restrict/lanes.h"

#include <cstdint>

QCD_BEGIN

namespace
{

/// The lanes that count, which are the same in every aggregate (restrict_args::face).
class FaceLanes
{
public:
    explicit FaceLanes(const restrict_args& a) : all_(a.face < 0)
    {
        for (int block = 0; !all_ && block < a.level.blocks_each; ++block)
            for (int lane = 0; lane < QCD_LANES; ++lane)
                if (is_at_face(a, block, lane)) lanes_[block] |= 1u << lane;
    }
    bool all() const { return all_; }
    bool any(int block) const { return all_ || lanes_[block] != 0; }
    vreal mask(int block, lanes w) const
    {
        vreal m = vset(0);
        for (int j = 0; j < vector_width; ++j) m[j] = lanes_[block] >> (w.first + j) & 1;
        return m;
    }

private:
    bool all_;
    std::uint32_t lanes_[QCD_MOST_BLOCKS_EACH] = {};
};

} // namespace

void restrict_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const restrict_args*>(args);
    const auto f = buffers_of<restrict_buffers>(p);
    const FaceLanes face(a);
    constexpr int most_together = 12; // they read the same vectors
    for (int unit = share.first(a.blocks); unit < share.end(a.blocks); ++unit)
        for (int from = 0; from < share.layers; from += most_together) {
            int open[most_together], n = 0;
            for (int rhs = from; rhs < share.layers && rhs < from + most_together; ++rhs)
                if (!restrict_closed(restrict_of_rhs(f, rhs))) open[n++] = rhs;
            LaneTree trees[most_together][4];
            for_each_group([&](lanes w) {
                chiral_sums sums[most_together];
                for (int i = 0; i < n; ++i) sums[i] = no_chiral_sums();
                for (int block = 0; block < a.level.blocks_each; ++block) {
                    if (!face.any(block)) continue;
                    spinor v = basis_lanes(a, f, unit, block, w);
                    if (!face.all()) v = masked_spinor(face.mask(block, w), v);
                    for (int i = 0; i < n; ++i)
                        sums[i] = restrict_block(a, f, unit, block, open[i], w, v, sums[i]);
                }
                for (int i = 0; i < n; ++i) {
                    trees[i][0].set(w, sums[i].up.re);
                    trees[i][1].set(w, sums[i].up.im);
                    trees[i][2].set(w, sums[i].down.re);
                    trees[i][3].set(w, sums[i].down.im);
                }
            });
            for (int i = 0; i < n; ++i) {
                LaneTree* t = trees[i];
                put_restricted(a, f.out, unit, open[i], t[0].sum(), t[1].sum(), t[2].sum(),
                               t[3].sum());
            }
        }
}

QCD_END

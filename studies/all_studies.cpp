#include "studies/all_studies.hpp"

#include "studies/frame/options.hpp"

namespace qcd::studies
{

const std::vector<StudyKind>& study_kinds()
{
    static const std::vector<StudyKind> all = {
        {"matmul", "C = A B on tiles: local memory, work of a thread, padding", make_matmul},
        {"sandpile", "the abelian sandpile: loops, tasks, halos, and lazy parts", make_sandpile},
        {"fisher", "reaction and diffusion, implicit in time: Newton's method with CG",
         make_fisher},
        {"wave", "the wave equation in three dimensions, a stencil of 13 points", make_wave},
        {"yardsticks", "DGEMM, STREAM and a sort on each kind of worker", make_yardsticks},
    };
    return all;
}

} // namespace qcd::studies

#include "studies/frame/options.hpp"
#include "studies/matmul/matmul.hpp"

namespace qcd::studies
{

const std::vector<StudyKind>& study_kinds()
{
    static const std::vector<StudyKind> all = {
        {"matmul", "C = A B on tiles: local memory, work of a thread, padding", make_matmul},
    };
    return all;
}

} // namespace qcd::studies

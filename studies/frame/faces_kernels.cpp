#include "studies/frame/faces.h"
#include "studies/frame/kernels.hpp"

#ifdef __CUDACC__

QCD_CELL_KERNELS(study_faces)

#else

QCD_BEGIN

/// Line by line, which lie together.
void study_faces_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto a = *static_cast<const study_faces_args*>(args);
    const auto f = study_buffers<study_faces_buffers>(p);
    for (int face = share.first(6); face < share.end(6); ++face) {
        int* to = study_face(f, face);
        if (!to) continue;
        int n[3] = {a.n[0], a.n[1], a.n[2]}, from[3] = {0, 0, 0};
        const int mu = face / 2;
        n[mu] = a.layers[mu];
        from[mu] = study_face_from(a, face);
        for (int z = from[2]; z < from[2] + n[2]; ++z)
            for (int y = from[1]; y < from[1] + n[1]; ++y, to += n[0])
                std::memcpy(to, f.u + (z * a.n[1] + y) * a.n[0] + from[0], n[0] * sizeof(int));
    }
}

QCD_END

#endif

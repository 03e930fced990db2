// Halos: a loop of cores.
#ifndef __CUDACC__

QCD_BEGIN

/// Line by line, which lie together.
void faces_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto [a, f] = study_call<decltype(faces_cell)>(args, p);
    for (int face = share.first(a.rows); face < share.end(a.rows); ++face) {
        int* to = f.faces[face];
        if (!to) continue;
        int n[3] = {a.n[0], a.n[1], a.n[2]}, from[3] = {0, 0, 0};
        const int mu = face / 2;
        n[mu] = a.layers[mu];
        from[mu] = faces_from(a, face);
        for (int z = from[2]; z < from[2] + n[2]; ++z)
            for (int y = from[1]; y < from[1] + n[1]; ++y, to += n[0])
                std::memcpy(to, f.u + (z * a.n[1] + y) * a.n[0] + from[0], n[0] * sizeof(int));
    }
}

QCD_END

#endif

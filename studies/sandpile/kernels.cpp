#ifndef __CUDACC__

QCD_BEGIN

/// Row by row: the rows beside one are the part's or a face, or none, and then have no grains.
void pile_step_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto [a, f] = study_call<decltype(pile_step_cell)>(args, p);
    const int nx = a.columns;
    const std::unique_ptr<int[]> none(new int[std::size_t(nx)]());
    for (int y = share.first(a.rows); y < share.end(a.rows); ++y) {
        const int* u = f.u + y * nx;
        const int* ahead = y + 1 < a.rows ? u + nx : f.faces[2] ? f.faces[2] : none.get();
        const int* behind = y > 0 ? u - nx : f.faces[3] ? f.faces[3] : none.get();
        int* next = f.next + y * nx;
        int some = 0;
#pragma GCC ivdep
        for (int x = 1; x < nx - 1; ++x) {
            next[x] = pile_next(u[x], u[x + 1], u[x - 1], ahead[x], behind[x]);
            some |= next[x] > 3;
        }
        if (f.unstable && some) *f.unstable = a.look;
        pile_step_cell(a, f, 0, y);
        pile_step_cell(a, f, nx - 1, y);
    }
}

QCD_END

#endif

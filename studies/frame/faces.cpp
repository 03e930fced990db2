#include "studies/frame/faces.hpp"

#include "studies/frame/registration.hpp"

QCD_DECLARE_STUDY_KERNELS(study_faces)
QCD_STUDY_TEXT(faces)

namespace qcd
{

namespace
{

int faces_of_all(const study_faces_args&) { return 6; }
WorkGroups faces_groups(const study_faces_args& a)
{
    int most = 1;
    for (int mu = 0; mu < 3; ++mu) {
        int words = a.layers[mu];
        for (int nu = 0; nu < 3; ++nu) words *= nu == mu ? 1 : a.n[nu];
        most = words > most ? words : most;
    }
    return studies::cell_groups(most, 6);
}

} // namespace

const Codelet& study_faces_codelet()
{
    static const studies::StudyCodelet own(
        [] {
            Operation o = studies::study_operation<study_faces_args, faces_of_all, faces_groups>(
                "faces", {{.name = "u", .holds = "cells", .in_part = true},
                          {"faces", "cells", Mode::writes, true, 6}});
            o.urgent = true;
            return o;
        }(),
        QCD_STUDY_KERNELS_OF(study_faces, faces_text));
    return own.codelet;
}

} // namespace qcd

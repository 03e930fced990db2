#include "studies/frame/faces.hpp"

#include "studies/frame/registration.hpp"

QCD_DECLARE_STUDY_KERNELS(study_faces)

#ifdef QCD_WITH_OPENCL
extern const char qcd_opencl_faces[];
#define QCD_FACES_TEXT qcd_opencl_faces
#else
#define QCD_FACES_TEXT nullptr
#endif

const qcd::Codelet& qcd::study_faces_codelet()
{
    static const Operation operation{.name = "faces",
                                     .args_size = sizeof(study_faces_args),
                                     .slots = {{.name = "u", .holds = "cells", .in_part = true},
                                               {"faces", "cells", Mode::writes, true, 6}},
                                     .blocks = [](const void*) { return 6; },
                                     .groups =
                                         [](int, const void* args) {
                                             const auto& a =
                                                 *static_cast<const study_faces_args*>(args);
                                             int most = 1;
                                             for (int mu = 0; mu < 3; ++mu) {
                                                 int words = a.layers[mu];
                                                 for (int nu = 0; nu < 3; ++nu)
                                                     words *= nu == mu ? 1 : a.n[nu];
                                                 most = words > most ? words : most;
                                             }
                                             return studies::cell_groups(most, 6);
                                         },
                                     .sweeps = false,
                                     .urgent = true};
    static const Codelet codelet(operation, 0, operation.name,
                                 QCD_STUDY_KERNELS_OF(study_faces, QCD_FACES_TEXT));
    return codelet;
}

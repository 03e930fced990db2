#pragma once
// Faces of a part of up to three dimensions: copies of its first and last layers in each direction
// (Grid::faces), for the parts around (contract: faces.hpp). Cells are whole words of four bytes.

#include "studies/frame/faces_args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL const int* u;
    QCD_GLOBAL int* face0;
    QCD_GLOBAL int* face1;
    QCD_GLOBAL int* face2;
    QCD_GLOBAL int* face3;
    QCD_GLOBAL int* face4;
    QCD_GLOBAL int* face5;
} study_faces_buffers;

QCD_FN int study_face_words(study_faces_args a, int mu)
{
    const int words =
        a.layers[mu] * (mu == 0 ? 1 : a.n[0]) * (mu == 1 ? 1 : a.n[1]) * (mu == 2 ? 1 : a.n[2]);
    return words;
}
QCD_FN int study_faces_columns(study_faces_args a)
{
    int most = 1;
    for (int mu = 0; mu < 3; ++mu) {
        const int words = study_face_words(a, mu);
        if (words > most) most = words;
    }
    return most;
}
QCD_FN int study_faces_rows(study_faces_args a)
{
    (void)a;
    return 6;
}

/// Word i of a face.
QCD_FN void study_faces_cell(study_faces_args a, study_faces_buffers f, int i, int face)
{
    QCD_GLOBAL int* to = face == 0   ? f.face0
                         : face == 1 ? f.face1
                         : face == 2 ? f.face2
                         : face == 3 ? f.face3
                         : face == 4 ? f.face4
                                     : f.face5;
    const int mu = face / 2;
    if (!to || i >= study_face_words(a, mu)) return;
    const int nx = mu == 0 ? a.layers[0] : a.n[0], ny = mu == 1 ? a.layers[1] : a.n[1];
    int x = i % nx, y = i / nx % ny, z = i / nx / ny;
    const int from = face % 2 ? a.n[mu] - a.layers[mu] : 0;
    if (mu == 0) x += from;
    if (mu == 1) y += from;
    if (mu == 2) z += from;
    to[i] = f.u[(z * a.n[1] + y) * a.n[0] + x];
}

QCD_END

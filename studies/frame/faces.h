#pragma once
// Faces of a part of up to three dimensions: copies of its first and last layers in each direction
// (Grid::faces), for the parts around (contract: faces.hpp). Cells are whole words of four bytes.

#include "codelets/device/slots.h"

QCD_PLAIN_BEGIN

typedef struct {
    int columns, rows; // words of the largest face, faces
    int n[3];          // words in x, cells in y, z
    int layers[3];     // of a face, in the same; 0: no face
} faces_args;

QCD_PLAIN_END

#define QCD_SLOTS_faces(S, op)                                                                     \
    S(op, u, reads_part, cells, int, required)                                                     \
    S(op, faces, writes, cells, int, several(6))
QCD_DECLARE_SLOTS(faces)

#ifdef QCD_PRECISION // in kernels

QCD_BEGIN

/// The first of a face's layers.
QCD_FN int faces_from(faces_args a, int face)
{
    return face % 2 ? a.n[face / 2] - a.layers[face / 2] : 0;
}

/// Word i of a face.
QCD_FN void faces_cell(faces_args a, faces_buffers f, int i, int face)
{
    const int mu = face / 2, from = faces_from(a, face), nx = mu == 0 ? a.layers[0] : a.n[0],
              ny = mu == 1 ? a.layers[1] : a.n[1], nz = mu == 2 ? a.layers[2] : a.n[2];
    if (!f.faces[face] || i >= nx * ny * nz) return;
    const int x = i % nx + (mu == 0 ? from : 0), y = i / nx % ny + (mu == 1 ? from : 0),
              z = i / nx / ny + (mu == 2 ? from : 0);
    f.faces[face][i] = f.u[(z * a.n[1] + y) * a.n[0] + x];
}

QCD_END

#endif

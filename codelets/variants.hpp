#pragma once
// Which kernels exist, and why: the one table. X(op, precision, links) is a compilation of every
// operation of a family, for CUDA and for each instruction set of cores
// (runtime/kernel_declarations.hpp). Registration reads the table here (registration.hpp), and
// cmake/QcdOperations.cmake, which knows no variants of its own, compiles what it says: a line for
// each. The CUDA kernels of a hop in each variant are in hopping/hop_kinds.hpp.

#include "lattice/link_storage.hpp"
#include "lattice/precision.hpp"
#include "runtime/codelet.hpp"

// clang-format off

// On fields, without links. The ladder has them, too.
#define QCD_VARIANTS_fields(X, op) \
    X(op, f64, 18) /* the default, and what every residual is kept in */ \
    X(op, f32, 18) /* --precision single, --sloppy single: half of the bytes */

// Like QCD_VARIANTS_fields, for an operation that iterations in 16 bits need (--sloppy half).
#define QCD_VARIANTS_half_fields(X, op) \
    QCD_VARIANTS_fields(X, op) \
    X(op, f16, 18) /* a quarter of the bytes */

// They read links: in every storage of them, since a hop takes as long as its bytes (--links); in
// double on single fields, too, for the true residual of a single solution.
#define QCD_VARIANTS_links(X, op) \
    X(op, f64, 18)        /* fields that are not in SU(3), and boundary phases in them */ \
    X(op, f64, 12)        /* the same bits of a product; 20% fewer bytes */ \
    X(op, f64, 8)         /* 15% faster than 12 on an H100 */ \
    X(op, f32, 18) \
    X(op, f32, 12) \
    X(op, f32, 8)         /* 11% faster than 12 on an H100 */ \
    X(op, f32_in_f64, 18) \
    X(op, f32_in_f64, 12) \
    X(op, f32_in_f64, 8)

// Like QCD_VARIANTS_links, with iterations in 16 bits; 8 reals would lose too much of a link there.
#define QCD_VARIANTS_half_links(X, op) \
    QCD_VARIANTS_links(X, op) \
    X(op, f16, 18) \
    X(op, f16, 12)

// Between fields of double and of a lower precision.
#define QCD_VARIANTS_mixed(X, op) \
    X(op, f32_in_f64, 18) \
    X(op, f16_in_f64, 18)

// They update links of ensembles: in double alone, in which the random numbers are made.
#define QCD_VARIANTS_gauge(X, op) \
    X(op, f64, 18)

// On scalars and exact sums.
#define QCD_VARIANTS_scalars(X, op) \
    X(op, f64, 18)

// clang-format on

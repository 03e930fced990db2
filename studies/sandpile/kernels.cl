#include "studies/sandpile/site.h"

__kernel void pile_step_kernel(pile_step_args a, QCD_GLOBAL const int* u,
                               QCD_GLOBAL const int* face0, QCD_GLOBAL const int* face1,
                               QCD_GLOBAL const int* face2, QCD_GLOBAL const int* face3,
                               QCD_GLOBAL int* next, QCD_GLOBAL int* unstable)
{
    const pile_step_buffers f = {u, face0, face1, face2, face3, next, unstable};
    QCD_STUDY_CELL(pile_step, a, f);
}

__kernel void pile_overlap_kernel(pile_overlap_args a, QCD_GLOBAL const int* u,
                                  QCD_GLOBAL const int* ahead, QCD_GLOBAL const int* behind,
                                  QCD_GLOBAL int* next, QCD_GLOBAL int* unstable,
                                  QCD_LOCAL int* memory)
{
    const pile_overlap_buffers f = {u, ahead, behind, next, unstable};
    pile_overlap_group(a, f, QCD_GROUP_ID(), memory);
}

__kernel void pile_avalanche_kernel(pile_avalanche_args a, QCD_GLOBAL int* u, QCD_GLOBAL int* in0,
                                    QCD_GLOBAL int* in1, QCD_GLOBAL int* in2, QCD_GLOBAL int* in3,
                                    QCD_GLOBAL int* out0, QCD_GLOBAL int* out1,
                                    QCD_GLOBAL int* out2, QCD_GLOBAL int* out3,
                                    QCD_GLOBAL int* report, QCD_LOCAL int* memory)
{
    const pile_avalanche_buffers f = {u, {in0, in1, in2, in3}, {out0, out1, out2, out3}, report};
    pile_avalanche_group(a, f, QCD_GROUP_ID(), memory);
}

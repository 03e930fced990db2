#pragma once

// Thread blocks (work groups) of 128 that a vector update has on a multiprocessor at a time: with
// registers for all that it loads. For more threads NVIDIA's assembler gives xpay in single 32 of
// them, for 48 numbers, and what fits a GPU at once (16x16x16x32) waits for memory more often: it
// took up to a third longer.
#define QCD_UPDATE_GROUPS (QCD_REAL_BITS == 32 ? 4 : 3)

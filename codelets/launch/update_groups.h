#pragma once

// Resident thread blocks (work groups) of 128 threads to compile a vector update for: few enough
// that a thread has registers for all it loads. Left alone, NVIDIA's assembler aims at more threads
// and gives xpay in single 32 registers for 48 numbers; a lattice that fits the GPU at once
// (16x16x16x32) then took up to a third longer.
#define QCD_UPDATE_GROUPS (QCD_WORD_BITS == 32 ? 4 : 3)

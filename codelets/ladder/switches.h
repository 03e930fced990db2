#pragma once
// What the versions of the ladder differ in (versions.hpp), bit by bit: a constant where a kernel
// is compiled.

#define QCD_LADDER_FINE 1         // 12 threads a site, one per element of the result; else one
#define QCD_LADDER_SPARSE 2       // spin matrices written out; else full 4x4 complex matrices
#define QCD_LADDER_COMPUTED 4     // neighbours' numbers computed; else read from a table
#define QCD_LADDER_OVERLAPPED 8   // 13 barriers; else 17 (ladder_stencil/fine.h)
#define QCD_LADDER_PAIRED 16      // links in the layout of 1.6 (links.h); else site by site
#define QCD_LADDER_LOCAL_LINKS 32 // a group's links are copied to its local memory first

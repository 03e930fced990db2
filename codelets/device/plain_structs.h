#pragma once
// QCD_PLAIN_BEGIN QCD_PLAIN_END stand around what host, CUDA and OpenCL have alike in every
// precision: in C++ it is in namespace qcd, and OpenCL C has no namespaces.

#ifdef __cplusplus
#define QCD_PLAIN_BEGIN                                                                            \
    namespace qcd                                                                                  \
    {
#define QCD_PLAIN_END }
#else
#define QCD_PLAIN_BEGIN
#define QCD_PLAIN_END
#endif

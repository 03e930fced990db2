#pragma once
// Words of kernels whose threads work together, besides those of lang.h. A group of a core has one
// thread.
//   QCD_LOCAL        address space of a work group's local (CUDA: shared) memory
//   QCD_BARRIER()    all threads of the group get here before one goes on
//   QCD_GROUP_ID()   number of the group; of devices alone
//   QCD_THREAD_ID()  of the thread in its group
//   QCD_THREADS()    of the group
//   QCD_THREAD_FN    a function of such a thread

#if defined(__OPENCL_VERSION__)
#define QCD_LOCAL __local
#define QCD_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define QCD_GROUP_ID() ((int)get_group_id(0))
#define QCD_THREAD_ID() ((int)get_local_id(0))
#define QCD_THREADS() ((int)get_local_size(0))
#define QCD_THREAD_FN static inline
#elif defined(__CUDACC__)
#define QCD_LOCAL
#define QCD_BARRIER() __syncthreads()
#define QCD_GROUP_ID() ((int)blockIdx.x)
#define QCD_THREAD_ID() ((int)threadIdx.x)
#define QCD_THREADS() ((int)blockDim.x)
#define QCD_THREAD_FN static __device__ __forceinline__
#else
#define QCD_LOCAL
#define QCD_BARRIER() ((void)0)
#define QCD_THREAD_ID() 0
#define QCD_THREADS() 1
#define QCD_THREAD_FN static inline
#endif

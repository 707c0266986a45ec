// Green contexts: partitions of a device and the resources they are made of.
#pragma once

#include "abi/driver/cuda_handles.h"

typedef struct CUdevResourceDesc_st* CUdevResourceDesc;

typedef enum CUgreenCtxCreate_flags : unsigned {
  CU_GREEN_CTX_DEFAULT_STREAM = 1,
} CUgreenCtxCreate_flags;

typedef enum CUdevSmResourceSplit_flags : unsigned {
  CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING = 1,
  CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE = 2,
} CUdevSmResourceSplit_flags;

typedef enum CUdevResourceType : unsigned {
  CU_DEV_RESOURCE_TYPE_INVALID = 0,
  CU_DEV_RESOURCE_TYPE_SM = 1,
} CUdevResourceType;

// A number of multiprocessors.
typedef struct CUdevSmResource {
  unsigned int smCount;
  unsigned int minSmPartitionSize;
  unsigned int smCoscheduledAlignment;
} CUdevSmResource;

// A share of a device; `type` says which member of the union counts.
typedef struct CUdevResource {
  CUdevResourceType type;
  unsigned char _internal_padding[92];
  union {
    CUdevSmResource sm;
    unsigned char _oversize[48];
  };
} CUdevResource;

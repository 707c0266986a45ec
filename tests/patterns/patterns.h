// Call patterns of real CUDA programs, one function each, as seen at the driver API of PyTorch,
// NCCL and others. Each leaves the card as it found it.
#pragma once

#include "tests/patterns/check.h"

namespace warpshare::patterns {

// allocations.cc
Outcome CachingAllocator(Tenant& tenant);     // 2 and 20 MiB segments, refused, freed, tried again
Outcome EveryByteOfTheLimit(Tenant& tenant);  // all that is free fits, one byte more does not
Outcome PitchedManagedAndArrays(Tenant& tenant);
Outcome DataSurvivesARoundTrip(Tenant& tenant);

// segments.cc
Outcome ExpandableSegments(Tenant& tenant);         // one reservation, many creates and maps
Outcome HandlesSharedByDescriptor(Tenant& tenant);  // as NCCL does: export, import, retain

// pools.cc
Outcome DefaultPoolWithThreshold(Tenant& tenant);
Outcome PoolOfItsOwn(Tenant& tenant);

// work.cc
Outcome LookUps(Tenant& tenant);
Outcome LazyKernels(Tenant& tenant);  // library, kernel, function, both launches, events
Outcome CapturedGraph(Tenant& tenant);
Outcome GraphWithMemory(Tenant& tenant);

// sharing.cc
Outcome MemoryOfAnotherProcess(Tenant& tenant);
Outcome MemoryOpenedTwice(Tenant& tenant);
Outcome EventOfAnotherProcess(Tenant& tenant);

// passed_on.cc
Outcome SegmentOfAnotherProcess(Tenant& tenant);

}  // namespace warpshare::patterns

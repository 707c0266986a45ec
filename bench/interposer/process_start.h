// What the library costs a process that never calls CUDA.
#pragma once

namespace warpshare::bench {

void MeasureProcessStart();

}  // namespace warpshare::bench

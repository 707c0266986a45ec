// Every function that gives the card work, with a call of each that the simulated driver accepts.
#pragma once

#include <vector>

#include "compute/compute_test.h"

namespace warpshare::testing {

// What the calls are about.
struct Site {
  explicit Site(Program& program);

  Tenant& tenant;
  const CudaLibrary& cuda;
  CUfunction kernel;
  CUstream stream;  // most calls go to a default stream, those that cannot to this one
  CUevent event = nullptr;
  CUgraphExec graph;
  Program::Flag flag;
  CUdeviceptr to = 0;
  CUdeviceptr from = 0;
  CUdeviceptr managed = 0;
  CUarray array = nullptr;
  CUarray other_array = nullptr;
  std::vector<char> host;
  CUDA_MEMCPY2D plane{};
  CUDA_MEMCPY3D box{};
  CUDA_MEMCPY3D_PEER peer_box{};
  CUDA_MEMCPY3D_BATCH_OP box_of_batch{};
  CUmemcpyAttributes attributes{};
  CUmemLocation card = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUlaunchConfig config{};
  CUDA_LAUNCH_PARAMS launch{};
  CUstreamBatchMemOpParams wait{};
  size_t zero = 0;
  size_t bytes = 4096;
  size_t failed = 0;
};

struct SubmitRow {
  const char* symbol;
  CUresult (*call)(Site& site);
  bool is_simulated = true;  // false: the simulated driver refuses it
};

// What takes time of the card; what only makes a stream wait.
std::vector<SubmitRow> WorkRows();
std::vector<SubmitRow> WaitRows();

}  // namespace warpshare::testing

// For tests of graphs: kernels of a given duration, copies and host functions as nodes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simgpu/cuda/graph/api.h"
#include "simgpu/cuda/graph/exec_api.h"
#include "simgpu/cuda/graph/node_api.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/module/api.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/testing/context_fixture.h"

namespace simgpu::testing {

using Nodes = std::vector<CUgraphNode>;

class GraphFixture : public ContextTest {
 protected:
  void SetUp() override {
    ContextTest::SetUp();
    ASSERT_EQ(cuModuleLoadData(&module_, "image"), CUDA_SUCCESS);
    ASSERT_EQ(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    ASSERT_EQ(cuGraphCreate(&graph_, 0), CUDA_SUCCESS);
  }

  CUDA_KERNEL_NODE_PARAMS KernelParamsOf(const char* kernel) {
    CUDA_KERNEL_NODE_PARAMS params{};
    EXPECT_EQ(cuModuleGetFunction(&params.func, module_, kernel), CUDA_SUCCESS);
    params.gridDimX = params.gridDimY = params.gridDimZ = 1;
    params.blockDimX = params.blockDimY = params.blockDimZ = 1;
    return params;
  }

  CUgraphNode AddKernel(const char* kernel, const Nodes& after = {}, CUgraph graph = nullptr) {
    CUgraphNode node = nullptr;
    const CUDA_KERNEL_NODE_PARAMS params = KernelParamsOf(kernel);
    EXPECT_EQ(cuGraphAddKernelNode_v2(&node, graph == nullptr ? graph_ : graph, after.data(),
                                      after.size(), &params),
              CUDA_SUCCESS);
    return node;
  }

  // Appends `letter` to order().
  CUgraphNode AddHost(char letter, const Nodes& after = {}) {
    steps_.push_back(std::make_unique<Step>(Step{&order_, letter}));
    const CUDA_HOST_NODE_PARAMS params = {&Append, steps_.back().get()};
    CUgraphNode node = nullptr;
    EXPECT_EQ(cuGraphAddHostNode(&node, graph_, after.data(), after.size(), &params), CUDA_SUCCESS);
    return node;
  }

  CUgraphExec Instantiate(unsigned long long flags = 0) {
    CUgraphExec exec = nullptr;
    EXPECT_EQ(cuGraphInstantiateWithFlags(&exec, graph_, flags), CUDA_SUCCESS);
    return exec;
  }

  void Run(CUgraphExec exec) {
    ASSERT_EQ(cuGraphLaunch(exec, stream_), CUDA_SUCCESS);
    ASSERT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
  }

  const std::string& order() const { return order_; }

  CUmodule module_ = nullptr;
  CUstream stream_ = nullptr;
  CUgraph graph_ = nullptr;

 private:
  struct Step {
    std::string* order;
    char letter;
  };

  static void Append(void* step) {
    static_cast<Step*>(step)->order->push_back(static_cast<Step*>(step)->letter);
  }

  std::string order_;
  std::vector<std::unique_ptr<Step>> steps_;
};

}  // namespace simgpu::testing

// Functions whose code takes memory of its own; of its own process, as a world has one scenario.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "simgpu/cuda/graph/api.h"
#include "simgpu/cuda/graph/exec_api.h"
#include "simgpu/cuda/graph/node_api.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/module/api.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/testing/context_fixture.h"

namespace {

constexpr size_t kMiB = size_t{1} << 20;
constexpr size_t kFunction = 3 * kMiB;  // what the world of these tests takes for one

class FunctionMemoryTest : public simgpu::testing::ContextTest {
 protected:
  static void SetUpTestSuite() {
    std::string folder = std::filesystem::temp_directory_path() / "simgpu-function-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    Folder() = folder;
    std::ofstream(folder + "/scenario") << "function_memory = 3MiB\ngraph_exec_memory = 512KiB\n";
    simgpu::testing::UseWorld({.scenario = folder + "/scenario"});
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(Folder()); }
  static std::string& Folder() {
    static std::string folder;
    return folder;
  }

  void SetUp() override {
    ContextTest::SetUp();
    ASSERT_EQ(cuModuleLoadData(&module_, "image"), CUDA_SUCCESS);
    before_ = Free();
    ASSERT_EQ(cuModuleGetFunction(&function_, module_, "kernel_1us"), CUDA_SUCCESS);
  }

  size_t Taken() const { return before_ - Free(); }
  CUfunctionLoadingState State() const {
    CUfunctionLoadingState state = CU_FUNCTION_LOADING_STATE_MAX;
    EXPECT_EQ(cuFuncIsLoaded(&state, function_), CUDA_SUCCESS);
    return state;
  }

  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
  size_t before_ = 0;
};

TEST_F(FunctionMemoryTest, TheFirstLaunchLoadsItAndTheModuleUnloadsIt) {
  EXPECT_EQ(Taken(), 0u);
  EXPECT_EQ(State(), CU_FUNCTION_LOADING_STATE_UNLOADED);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(cuLaunchKernel(function_, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
              CUDA_SUCCESS);
    EXPECT_EQ(Taken(), kFunction);
    EXPECT_EQ(State(), CU_FUNCTION_LOADING_STATE_LOADED);
  }
  ASSERT_EQ(cuModuleUnload(module_), CUDA_SUCCESS);
  EXPECT_EQ(Free(), before_ + 2 * kMiB);
}

TEST_F(FunctionMemoryTest, ItIsLoadedWhenAProgramAsksForThat) {
  ASSERT_EQ(cuFuncLoad(function_), CUDA_SUCCESS);
  ASSERT_EQ(cuFuncLoad(function_), CUDA_SUCCESS);
  EXPECT_EQ(Taken(), kFunction);
}

TEST_F(FunctionMemoryTest, AGraphLoadsItWhenItIsInstantiated) {
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  CUgraphExec exec = nullptr;
  CUDA_KERNEL_NODE_PARAMS_v2 launch{};
  launch.func = function_;
  launch.gridDimX = launch.gridDimY = launch.gridDimZ = 1;
  launch.blockDimX = launch.blockDimY = launch.blockDimZ = 1;
  ASSERT_EQ(cuGraphCreate(&graph, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphAddKernelNode_v2(&node, graph, nullptr, 0, &launch), CUDA_SUCCESS);
  EXPECT_EQ(Taken(), 0u);
  ASSERT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
  EXPECT_EQ(Taken(), kFunction + kMiB / 2);
  ASSERT_EQ(cuGraphExecDestroy(exec), CUDA_SUCCESS);
  EXPECT_EQ(Taken(), kFunction);
  ASSERT_EQ(cuGraphDestroy(graph), CUDA_SUCCESS);
}

TEST_F(FunctionMemoryTest, EagerLoadingDoesItAtTheLookUp) {
  ASSERT_EQ(setenv("CUDA_MODULE_LOADING", "EAGER", 1), 0);
  ASSERT_EQ(cuModuleGetFunction(&function_, module_, "another"), CUDA_SUCCESS);
  ASSERT_EQ(unsetenv("CUDA_MODULE_LOADING"), 0);
  EXPECT_EQ(Taken(), kFunction);
  EXPECT_EQ(State(), CU_FUNCTION_LOADING_STATE_LOADED);
}

}  // namespace

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "simgpu/testing/graph_fixture.h"

namespace simgpu::testing {
namespace {

class GraphTest : public GraphFixture {
 protected:
  static Nodes Dependencies(CUgraphNode node) {
    size_t count = 0;
    EXPECT_EQ(cuGraphNodeGetDependencies(node, nullptr, &count), CUDA_SUCCESS);
    Nodes nodes(count);
    EXPECT_EQ(cuGraphNodeGetDependencies(node, nodes.data(), &count), CUDA_SUCCESS);
    return nodes;
  }

  static size_t CountNodes(CUgraph graph) {
    size_t count = 0;
    EXPECT_EQ(cuGraphGetNodes(graph, nullptr, &count), CUDA_SUCCESS);
    return count;
  }

  CUgraphNode AddEmpty(const Nodes& after = {}) {
    CUgraphNode node = nullptr;
    EXPECT_EQ(cuGraphAddEmptyNode(&node, graph_, after.data(), after.size()), CUDA_SUCCESS);
    return node;
  }
};

TEST_F(GraphTest, KnowsItsNodesAndEdges) {
  const CUgraphNode a = AddEmpty();
  const CUgraphNode b = AddEmpty({a});
  const CUgraphNode c = AddEmpty({a, b});
  EXPECT_EQ(CountNodes(graph_), 3u);
  EXPECT_EQ(Dependencies(c), (Nodes{a, b}));
  size_t count = 1;
  CUgraphNode root = nullptr;
  ASSERT_EQ(cuGraphGetRootNodes(graph_, &root, &count), CUDA_SUCCESS);
  EXPECT_EQ(root, a);
  CUgraphNode from[4];
  CUgraphNode to[4];
  count = 4;
  ASSERT_EQ(cuGraphGetEdges(graph_, from, to, &count), CUDA_SUCCESS);
  EXPECT_EQ(count, 3u);
  ASSERT_EQ(cuGraphNodeGetDependentNodes(a, from, &count), CUDA_SUCCESS);
  EXPECT_EQ(count, 2u);
}

TEST_F(GraphTest, FillsListsUpToTheRoomThereIs) {
  const CUgraphNode a = AddEmpty();
  AddEmpty();
  CUgraphNode nodes[3] = {nullptr, nullptr, a};
  size_t count = 1;
  ASSERT_EQ(cuGraphGetNodes(graph_, nodes, &count), CUDA_SUCCESS);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(nodes[1], nullptr);
  count = 3;
  ASSERT_EQ(cuGraphGetNodes(graph_, nodes, &count), CUDA_SUCCESS);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(nodes[2], nullptr);
}

TEST_F(GraphTest, EdgesComeAndGo) {
  const CUgraphNode a = AddEmpty();
  const CUgraphNode b = AddEmpty();
  ASSERT_EQ(cuGraphAddDependencies(graph_, &a, &b, 1), CUDA_SUCCESS);
  EXPECT_EQ(cuGraphAddDependencies(graph_, &a, &b, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuGraphAddDependencies(graph_, &a, &a, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(Dependencies(b), Nodes{a});
  ASSERT_EQ(cuGraphRemoveDependencies(graph_, &a, &b, 1), CUDA_SUCCESS);
  EXPECT_EQ(cuGraphRemoveDependencies(graph_, &a, &b, 1), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphTest, EdgesWithDataAreNotToldByCallsThatLoseIt) {
  const CUgraphNode a = AddKernel("a");
  const CUgraphNode b = AddKernel("b");
  const CUgraphEdgeData data = {
      CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC, 0, CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC, {}};
  ASSERT_EQ(cuGraphAddDependencies_v2(graph_, &a, &b, &data, 1), CUDA_SUCCESS);
  CUgraphNode node = nullptr;
  size_t count = 1;
  EXPECT_EQ(cuGraphNodeGetDependencies(b, &node, &count), CUDA_ERROR_LOSSY_QUERY);
  CUgraphEdgeData seen{};
  ASSERT_EQ(cuGraphNodeGetDependencies_v2(b, &node, &seen, &count), CUDA_SUCCESS);
  EXPECT_EQ(seen.from_port, data.from_port);
}

TEST_F(GraphTest, RemovingANodeRemovesItsEdges) {
  const CUgraphNode a = AddEmpty();
  const CUgraphNode b = AddEmpty({a});
  const CUgraphNode c = AddEmpty({b});
  ASSERT_EQ(cuGraphDestroyNode(b), CUDA_SUCCESS);
  EXPECT_EQ(Dependencies(c), Nodes{});
  CUgraphNodeType type;
  EXPECT_EQ(cuGraphNodeGetType(b, &type), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphTest, ClonesKnowWhatTheyAreClonesOf) {
  const CUgraphNode a = AddEmpty();
  const CUgraphNode b = AddEmpty({a});
  CUgraph clone = nullptr;
  ASSERT_EQ(cuGraphClone(&clone, graph_), CUDA_SUCCESS);
  CUgraphNode a_copy = nullptr;
  CUgraphNode b_copy = nullptr;
  ASSERT_EQ(cuGraphNodeFindInClone(&a_copy, a, clone), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphNodeFindInClone(&b_copy, b, clone), CUDA_SUCCESS);
  EXPECT_EQ(Dependencies(b_copy), Nodes{a_copy});
  ASSERT_EQ(cuGraphDestroy(graph_), CUDA_SUCCESS);
  EXPECT_EQ(CountNodes(clone), 2u);
  EXPECT_EQ(cuGraphDestroy(graph_), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphTest, ChildGraphsAreCopiesThatBelongToTheirNode) {
  CUgraph child = nullptr;
  ASSERT_EQ(cuGraphCreate(&child, 0), CUDA_SUCCESS);
  AddKernel("inner", {}, child);
  CUgraphNode node = nullptr;
  ASSERT_EQ(cuGraphAddChildGraphNode(&node, graph_, nullptr, 0, child), CUDA_SUCCESS);
  AddKernel("later", {}, child);
  CUgraph inner = nullptr;
  ASSERT_EQ(cuGraphChildGraphNodeGetGraph(node, &inner), CUDA_SUCCESS);
  EXPECT_NE(inner, child);
  EXPECT_EQ(CountNodes(inner), 1u);
  EXPECT_EQ(cuGraphDestroy(inner), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphTest, NodesGiveBackAndTakeParameters) {
  const CUgraphNode node = AddKernel("first");
  CUDA_KERNEL_NODE_PARAMS params{};
  ASSERT_EQ(cuGraphKernelNodeGetParams_v2(node, &params), CUDA_SUCCESS);
  EXPECT_EQ(params.gridDimX, 1u);
  CUlaunchAttributeValue priority{};
  priority.priority = -2;
  ASSERT_EQ(cuGraphKernelNodeSetAttribute(node, CU_LAUNCH_ATTRIBUTE_PRIORITY, &priority),
            CUDA_SUCCESS);
  params.gridDimX = 12;
  ASSERT_EQ(cuGraphKernelNodeSetParams_v2(node, &params), CUDA_SUCCESS);
  params = {};
  ASSERT_EQ(cuGraphKernelNodeGetParams_v2(node, &params), CUDA_SUCCESS);
  EXPECT_EQ(params.gridDimX, 12u);
  priority = {};
  ASSERT_EQ(cuGraphKernelNodeGetAttribute(node, CU_LAUNCH_ATTRIBUTE_PRIORITY, &priority),
            CUDA_SUCCESS);
  EXPECT_EQ(priority.priority, -2);
  CUDA_HOST_NODE_PARAMS host{};
  EXPECT_EQ(cuGraphHostNodeGetParams(node, &host), CUDA_ERROR_INVALID_VALUE);
  params.blockDimX = 0;
  EXPECT_EQ(cuGraphKernelNodeSetParams_v2(node, &params), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphTest, NodesOfEveryKindGoThroughOneCall) {
  CUgraphNode node = nullptr;
  CUgraphNodeParams params{};
  params.type = CU_GRAPH_NODE_TYPE_EMPTY;
  EXPECT_EQ(cuGraphAddNode(&node, graph_, nullptr, 0, &params), CUDA_SUCCESS);
  params.reserved0[2] = 1;
  EXPECT_EQ(cuGraphAddNode(&node, graph_, nullptr, 0, &params), CUDA_ERROR_INVALID_VALUE);
  params.reserved0[2] = 0;
  params.type = CU_GRAPH_NODE_TYPE_HOST;
  EXPECT_EQ(cuGraphAddNode(&node, graph_, nullptr, 0, &params), CUDA_ERROR_INVALID_VALUE);
  params.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT;
  EXPECT_EQ(cuGraphAddNode(&node, graph_, nullptr, 0, &params), CUDA_ERROR_NOT_SUPPORTED);
  params.type = static_cast<CUgraphNodeType>(99);
  EXPECT_EQ(cuGraphAddNode(&node, graph_, nullptr, 0, &params), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphTest, IsPrintedForGraphviz) {
  AddKernel("second", {AddKernel("first")});
  const std::string path = ::testing::TempDir() + "graph.dot";
  ASSERT_EQ(cuGraphDebugDotPrint(graph_, path.c_str(), 0), CUDA_SUCCESS);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::remove(path.c_str());
  EXPECT_NE(text.str().find("first"), std::string::npos);
  EXPECT_NE(text.str().find("->"), std::string::npos);
  EXPECT_EQ(cuGraphDebugDotPrint(graph_, "/no/such/place.dot", 0), CUDA_ERROR_OPERATING_SYSTEM);
}

}  // namespace
}  // namespace simgpu::testing

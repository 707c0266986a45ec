#include "node/device_plugin/pods_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace warpshare::node {
namespace {

constexpr char kPods[] = R"({"kind":"PodList","items":[
  {"metadata":{"name":"train","namespace":"team","uid":"u1",
               "annotations":{"warpshare.io/assignment":"v1;node-a;main=x"}},
   "spec":{"nodeName":"node-a",
     "initContainers":[{"name":"fetch"},
       {"name":"side","restartPolicy":"Always","resources":{"limits":{"warpshare.io/gpu":1}}}],
     "containers":[{"name":"main","resources":{"limits":
       {"warpshare.io/gpu":"1","warpshare.io/gpu-memory":"4096"}}}]},
   "status":{"phase":"Running"}},
  {"metadata":{"name":"done","namespace":"team","uid":"u2"},
   "spec":{"nodeName":"node-a","containers":[{"name":"main"}]},"status":{"phase":"Succeeded"}},
  {"metadata":{"name":"there","namespace":"team","uid":"u3"},
   "spec":{"nodeName":"node-b","containers":[{"name":"main"}]},"status":{}},
  {"metadata":{"name":"static","namespace":"kube-system","uid":"u4",
               "annotations":{"kubernetes.io/config.mirror":"0123"}},
   "spec":{"nodeName":"node-a","containers":[{"name":"main"}]},"status":{}}]})";

class PodsFileTest : public testing::Test {
 protected:
  PodsFileTest() {
    char pattern[] = "/tmp/pods_file_test.XXXXXX";
    folder_ = mkdtemp(pattern);
    path_ = folder_ + "/pods.json";
  }
  ~PodsFileTest() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
  std::string path_;
};

TEST_F(PodsFileTest, HasThePodsOfTheNodeThatHaveNotEnded) {
  std::ofstream(path_) << kPods;
  PodsFile source(path_, "node-a");
  ASSERT_EQ(source.Pods()->size(), 2u);
  const auto pod = source.FindByUid("u1");
  ASSERT_TRUE(pod) << pod.error().message;
  EXPECT_EQ(pod->untrusted_assignment, "v1;node-a;main=x");
  ASSERT_EQ(pod->request.containers.size(), 3u);
  EXPECT_EQ(pod->request.containers[0].kind, request::ContainerKind::kInit);
  EXPECT_EQ(pod->request.containers[0].cards, 0u);
  EXPECT_EQ(pod->request.containers[1].kind, request::ContainerKind::kSidecar);
  EXPECT_EQ(pod->request.containers[1].cards, 1u);
  EXPECT_EQ(pod->request.containers[2].memory.On(40_GiB), 4_GiB);
  EXPECT_EQ(source.FindByName("team", "done").error().code, Errc::kNotFound);
  EXPECT_EQ(source.FindByUid("0123")->request.pod_name, "static") << "by the kubelet's uid";
}

TEST_F(PodsFileTest, APodOfNvidiasPluginWantsNoCardsOfOursWhateverAssignmentItCarries) {
  std::ofstream(path_) << R"({"items":[{"metadata":{"name":"plain","namespace":"team","uid":"u1",
      "annotations":{"warpshare.io/assignment":"v1;node-a;main=x"}},"spec":{"nodeName":"node-a",
      "containers":[{"name":"main","resources":{"limits":{"nvidia.com/gpu":"1"}}}]},"status":{}}]})";
  const auto pod = PodsFile(path_, "node-a").FindByUid("u1");
  ASSERT_TRUE(pod) << pod.error().message;
  EXPECT_FALSE(request::WantsCards(pod->request));
  EXPECT_EQ(pod->node, "node-a");
}

TEST_F(PodsFileTest, WhatCannotBeReadIsNotThere) {
  PodsFile source(path_, "node-a");
  EXPECT_EQ(source.Pods().error().code, Errc::kUnavailable);
  std::ofstream(path_) << "{\"items\":[";
  EXPECT_EQ(source.FindByUid("u1").error().code, Errc::kUnavailable);
}

}  // namespace
}  // namespace warpshare::node

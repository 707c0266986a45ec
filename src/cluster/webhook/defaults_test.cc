#include "cluster/webhook/defaults.h"

#include <gtest/gtest.h>

#include "pods/pod_json.h"

namespace warpshare::webhook {
namespace {

struct Filled {
  std::string patch;
  request::PodView pod;
};

Filled FillBy(const Filling& filling, const std::string& text) {
  const auto document = json::Document::Parse(text);
  EXPECT_TRUE(document) << document.error().message;
  Completed completed = FillIn(document->root(), pods::PodViewOf(document->root()), filling);
  return {completed.patch.empty() ? "" : completed.patch.Text(), completed.pod};
}

Filled Fill(const std::string& text, const std::string& scheduler = "") {
  return FillBy({.scheduler = scheduler}, text);
}

// One container, after an init container without cards.
std::string Pod(const std::string& limits, const std::string& annotations = "{}",
                const std::string& more_of_spec = "") {
  return R"({"metadata": {"annotations": )" + annotations +
         R"(}, "spec": {"initContainers": [{"name": "i"}], "containers": [{"name": "main",)"
         R"("resources": {"limits": )" +
         limits + R"(, "requests": {}}}])" + more_of_spec + "}}";
}

TEST(Defaults, KnowWhoAsksForCards) {
  const auto asks = [](const char* resource) {
    request::PodView pod;
    pod.containers = {{.name = "a"}, {.name = "b", .limits = {{resource, "1"}}}};
    return AsksForCards(pod);
  };
  EXPECT_TRUE(asks("warpshare.io/gpu"));
  EXPECT_TRUE(asks("warpshare.io/gpu-memory"));
  EXPECT_TRUE(asks("warpshare.io/gpu-memory-percent"));
  EXPECT_TRUE(asks("warpshare.io/gpu-cores"));
  EXPECT_FALSE(asks("nvidia.com/gpu"));
  EXPECT_FALSE(asks("memory"));
}

TEST(Defaults, LeaveAloneWhatIsSaid) {
  EXPECT_EQ(Fill(Pod(R"({"warpshare.io/gpu": "2", "warpshare.io/gpu-memory": "4096"})")).patch, "");
  EXPECT_EQ(Fill(Pod(R"({"cpu": "1"})")).patch, "");
}

TEST(Defaults, GiveOneCardToWhoNamesMemoryAlone) {
  const Filled filled = Fill(Pod(R"({"warpshare.io/gpu-memory": "4096"})"));
  EXPECT_EQ(
      filled.patch,
      R"([{"op":"add","path":"/spec/containers/0/resources/limits/warpshare.io~1gpu","value":"1"},)"
      R"({"op":"add","path":"/spec/containers/0/resources/requests/warpshare.io~1gpu","value":"1"}])");
  EXPECT_EQ(filled.pod.containers[1].limits.at("warpshare.io/gpu"), "1");
}

TEST(Defaults, ReachInitContainersToo) {
  const Filled filled = Fill(
      R"({"spec": {"containers": [{"name": "c"}], "initContainers": [{"name": "a"},
          {"name": "b", "resources": {"limits": {"warpshare.io/gpu-cores": "10"}}}]}})");
  EXPECT_EQ(
      filled.patch,
      R"([{"op":"add","path":"/spec/initContainers/1/resources/limits/warpshare.io~1gpu","value":"1"},)"
      R"({"op":"add","path":"/spec/initContainers/1/resources/requests","value":{}},)"
      R"({"op":"add","path":"/spec/initContainers/1/resources/requests/warpshare.io~1gpu","value":"1"}])");
}

TEST(Defaults, GiveAsManyCoresAsMemoryWhereThePolicyNeedsCores) {
  const char* quarter = R"({"warpshare.io/gpu": 1, "warpshare.io/gpu-memory-percent": "25"})";
  const auto with_policy = [&](const char* policy) {
    return Fill(Pod(quarter, R"({"warpshare.io/compute-policy": ")" + std::string(policy) + "\"}"));
  };
  EXPECT_EQ(with_policy("hard").pod.containers[1].limits.at("warpshare.io/gpu-cores"), "25");
  EXPECT_NE(with_policy("soft").patch.find("gpu-cores"), std::string::npos);
  EXPECT_EQ(with_policy("weighted").patch, "");
  EXPECT_EQ(with_policy("nonsense").patch, "");
  EXPECT_EQ(Fill(Pod(quarter)).patch, "");
}

TEST(Defaults, NameTheSchedulerWhereThePodHasNoneOfItsOwn) {
  const char* limits = R"({"warpshare.io/gpu": "1"})";
  const char* named = R"([{"op":"add","path":"/spec/schedulerName","value":"ours"}])";
  EXPECT_EQ(Fill(Pod(limits), "ours").patch, named);
  EXPECT_EQ(Fill(Pod(limits, "{}", R"(, "schedulerName": "default-scheduler")"), "ours").patch,
            named);
  EXPECT_EQ(Fill(Pod(limits, "{}", R"(, "schedulerName": "theirs")"), "ours").patch, "");
  EXPECT_EQ(Fill(Pod(limits, "{}", R"(, "nodeName": "n")"), "ours").patch, "");
}

TEST(Defaults, PutOurCardsInPlaceOfPlainOnesWhereThePodIsAdopted) {
  const char* pod = R"({"spec": {"schedulerName": "default-scheduler",
      "initContainers": [{"name": "i", "resources": {"limits": {"nvidia.com/gpu": 1}}}],
      "containers": [
        {"name": "a", "resources": {"limits": {"nvidia.com/gpu": "2", "cpu": "1"},
                                    "requests": {"nvidia.com/gpu": "2"}}},
        {"name": "b", "resources": {"limits": {"nvidia.com/gpu": "0"}}},
        {"name": "c", "resources": {"limits": {"warpshare.io/gpu": "1"}}}]}})";
  const Filled filled = FillBy({.scheduler = "ours", .adopts = true}, pod);
  const std::string init = "/spec/initContainers/0/resources/";
  const std::string a = "/spec/containers/0/resources/";
  const auto remove = [](const std::string& path) {
    return R"({"op":"remove","path":")" + path + R"("},)";
  };
  const auto add = [](const std::string& path, const std::string& value) {
    return R"({"op":"add","path":")" + path + R"(","value":)" + value + "},";
  };
  EXPECT_EQ(filled.patch,
            "[" + remove(init + "limits/nvidia.com~1gpu") +
                add(init + "limits/warpshare.io~1gpu", R"("1")") + add(init + "requests", "{}") +
                add(init + "requests/warpshare.io~1gpu", R"("1")") +
                remove(a + "limits/nvidia.com~1gpu") + remove(a + "requests/nvidia.com~1gpu") +
                add(a + "limits/warpshare.io~1gpu", R"("2")") +
                add(a + "requests/warpshare.io~1gpu", R"("2")") +
                R"({"op":"add","path":"/spec/schedulerName","value":"ours"}])");
  const request::TextMap limits = {{"cpu", "1"}, {"warpshare.io/gpu", "2"}};
  EXPECT_EQ(filled.pod.containers[1].limits, limits);
}

TEST(Defaults, LeavePlainCardsAloneWhereThePodIsNotAdopted) {
  EXPECT_EQ(Fill(Pod(R"({"nvidia.com/gpu": "1"})")).patch, "");
}

TEST(Defaults, TakeOutAnAssignmentThatSomebodyBrought) {
  const Filled filled =
      Fill(Pod(R"({"warpshare.io/gpu": "1"})", R"({"warpshare.io/assignment": "v1;n;main=x"})"));
  EXPECT_EQ(filled.patch,
            R"([{"op":"remove","path":"/metadata/annotations/warpshare.io~1assignment"}])");
  EXPECT_TRUE(filled.pod.annotations.empty());
}

}  // namespace
}  // namespace warpshare::webhook

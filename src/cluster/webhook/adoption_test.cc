#include "cluster/webhook/adoption.h"

#include <gtest/gtest.h>

namespace warpshare::webhook {
namespace {

using request::ContainerView;
using request::PodView;

PodView Pod(std::vector<ContainerView> containers, const std::string& node = "") {
  return {.node_name = node, .containers = std::move(containers)};
}

const ContainerView kPlain{.limits = {{"nvidia.com/gpu", "1"}},
                           .requests = {{"nvidia.com/gpu", "1"}}};
const ContainerView kOurs{.limits = {{"warpshare.io/gpu-memory", "1024"}}};
const ContainerView kBare{.limits = {{"cpu", "1"}}};

TEST(Adoption, FollowsTheModeAndWhetherNvidiasPluginMayBeThere) {
  using enum Adoption;
  const struct {
    const char* name;
    PodView pod;
    NvidiaGpu mode;
    bool may_have_plugin;
    Adoption expected;
  } table[] = {
      {"auto, no plugin", Pod({kPlain}), NvidiaGpu::kAuto, false, kAdopted},
      {"auto, plugin", Pod({kPlain}), NvidiaGpu::kAuto, true, kNone},
      {"adopt, plugin", Pod({kPlain}), NvidiaGpu::kAdopt, true, kAdopted},
      {"leave, no plugin", Pod({kPlain}), NvidiaGpu::kLeave, false, kNone},
      {"beside one of ours", Pod({kOurs, kPlain}), NvidiaGpu::kAuto, true, kAdopted},
      {"beside one of ours, leave", Pod({kOurs, kPlain}), NvidiaGpu::kLeave, true, kNone},
      {"beside one without cards", Pod({kBare, kPlain}), NvidiaGpu::kAuto, false, kAdopted},
      {"nothing plain", Pod({kBare, kOurs}), NvidiaGpu::kAdopt, false, kNone},
      {"bound", Pod({kPlain}, "n1"), NvidiaGpu::kAuto, false, kBound},
      {"bound, adopt", Pod({kPlain}, "n1"), NvidiaGpu::kAdopt, true, kBound},
      {"bound, plugin", Pod({kPlain}, "n1"), NvidiaGpu::kAuto, true, kNone},
      {"bound, beside one of ours", Pod({kOurs, kPlain}, "n1"), NvidiaGpu::kAuto, true, kBound},
  };
  for (const auto& row : table)
    EXPECT_EQ(AdoptionOf(row.pod, row.mode, row.may_have_plugin), row.expected) << row.name;
}

TEST(Adoption, PlainCardsAreThoseThatTheApiServerWouldTake) {
  const struct {
    const char* name;
    ContainerView container;
    const char* expected;  // nullptr: none
  } table[] = {
      {"limits alone", {.limits = {{"nvidia.com/gpu", "2"}}}, "2"},
      {"both", kPlain, "1"},
      {"the same number in other words",
       {.limits = {{"nvidia.com/gpu", "2"}}, .requests = {{"nvidia.com/gpu", "2000m"}}},
       "2"},
      {"none", kBare, nullptr},
      {"zero", {.limits = {{"nvidia.com/gpu", "0"}}}, nullptr},
      {"requests alone", {.requests = {{"nvidia.com/gpu", "1"}}}, nullptr},
      {"unequal",
       {.limits = {{"nvidia.com/gpu", "2"}}, .requests = {{"nvidia.com/gpu", "1"}}},
       nullptr},
      {"a part", {.limits = {{"nvidia.com/gpu", "500m"}}}, nullptr},
      {"nonsense", {.limits = {{"nvidia.com/gpu", "one"}}}, nullptr},
      {"both plugins'", {.limits = {{"nvidia.com/gpu", "1"}, {"warpshare.io/gpu", "1"}}}, nullptr},
      {"another resource of the plugin", {.limits = {{"nvidia.com/mig-1g.5gb", "1"}}}, nullptr},
  };
  for (const auto& [name, container, expected] : table) {
    const std::string* cards = PlainCards(container);
    if (expected == nullptr)
      EXPECT_EQ(cards, nullptr) << name;
    else
      EXPECT_EQ(cards == nullptr ? "" : *cards, expected) << name;
  }
}

TEST(Adoption, ItsModesHaveWords) {
  EXPECT_EQ(ParseNvidiaGpu("auto"), NvidiaGpu::kAuto);
  EXPECT_EQ(ParseNvidiaGpu("adopt"), NvidiaGpu::kAdopt);
  EXPECT_EQ(ParseNvidiaGpu("leave"), NvidiaGpu::kLeave);
  EXPECT_EQ(ParseNvidiaGpu("always"), std::nullopt);
}

}  // namespace
}  // namespace warpshare::webhook

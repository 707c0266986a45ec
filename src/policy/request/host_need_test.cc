#include "policy/request/host_need.h"

#include <gtest/gtest.h>

namespace warpshare::request {
namespace {

ContainerView Container(ContainerKind kind, const char* cpu, const char* memory) {
  return {.name = "c", .kind = kind, .limits = {}, .requests = {{"cpu", cpu}, {"memory", memory}}};
}

TEST(HostNeed, IsThePeakOverThePodsLife) {
  const PodView pod{.containers = {Container(ContainerKind::kInit, "4", "1Gi"),
                                   Container(ContainerKind::kSidecar, "500m", "1Gi"),
                                   Container(ContainerKind::kInit, "1", "8Gi"),
                                   Container(ContainerKind::kOrdinary, "2", "2Gi"),
                                   Container(ContainerKind::kOrdinary, "1", "1Gi")}};
  const auto need = ReadHostNeed(pod);
  ASSERT_TRUE(need);
  EXPECT_EQ(need->cpu_milli, 4'000u);  // the first init container, alone
  EXPECT_EQ(need->memory, 9_GiB);      // the second, beside the sidecar
}

TEST(HostNeed, ALimitAloneIsARequest) {
  const PodView pod{.containers = {{.name = "c", .limits = {{"cpu", "250m"}}}}};
  EXPECT_EQ(ReadHostNeed(pod)->cpu_milli, 250u);
}

TEST(HostNeed, SumsCannotOverflow) {
  const PodView pod{.containers = {Container(ContainerKind::kOrdinary, "15P", "15E"),
                                   Container(ContainerKind::kOrdinary, "15P", "15E")}};
  ASSERT_TRUE(ReadHostNeed(pod));
  EXPECT_EQ(ReadHostNeed(pod)->memory.count(), uint64_t{1} << 62);
}

TEST(HostNeed, WhatIsNoQuantityIsRefusedByContainer) {
  const PodView pod{.containers = {Container(ContainerKind::kOrdinary, "two", "1Gi")}};
  EXPECT_TRUE(ReadHostNeed(pod).error().message.starts_with("container c: cpu or memory"));
}

}  // namespace
}  // namespace warpshare::request

#include "platform/kubelet/checkpoint.h"

#include <gtest/gtest.h>

namespace warpshare::platform {
namespace {

constexpr char kResource[] = "warpshare.io/gpu";

// As kubelet 1.36 writes it.
constexpr char kTwoResources[] = R"({"Data":{"PodDeviceEntries":[
  {"PodUID":"d6f2a7f4","ContainerName":"main","ResourceName":"warpshare.io/gpu",
   "DeviceIDs":{"-1":["GPU-b::07"],"0":["GPU-a::00","GPU-c::01"],"1":["GPU-a::00"]},
   "AllocResp":"EiIKDi9ydW4vY29udGFpbmVyEg4vcnVuL3dhcnBzaGFyZRgB"},
  {"PodUID":"other","ContainerName":"c","ResourceName":"nvidia.com/gpu",
   "DeviceIDs":{"-1":["GPU-1"]},"AllocResp":""}],
  "RegisteredDevices":{"warpshare.io/gpu":["GPU-a::00"]}},"Checksum":1462345})";

TEST(Checkpoint, SaysWhoHasWhatAndWhatWasAnswered) {
  const auto entries = ParseCheckpoint(kTwoResources, kResource);
  ASSERT_TRUE(entries) << entries.error().message;
  const CheckpointEntry expected = {
      .pod_uid = "d6f2a7f4",
      .container = "main",
      .ids = {"GPU-a::00", "GPU-b::07", "GPU-c::01"},
      .edits = {.mounts = {{"/run/container", "/run/warpshare", true}}}};
  EXPECT_EQ(*entries, std::vector{expected});
}

TEST(Checkpoint, MayHaveNoEntries) {
  for (const char* text : {R"({"Data":{"PodDeviceEntries":null,"RegisteredDevices":{}}})",
                           R"({"Data":{"RegisteredDevices":null},"Checksum":1})"}) {
    const auto entries = ParseCheckpoint(text, kResource);
    ASSERT_TRUE(entries) << text << entries.error().message;
    EXPECT_TRUE(entries->empty());
  }
}

TEST(Checkpoint, WhatItIsNotIsAnError) {
  const char* const texts[] = {"", "{", "[]", "{}", R"({"Data":7})",
                               R"({"Data":{"PodDeviceEntries":7}})",
                               // 1.19 and earlier: devices without NUMA nodes
                               R"({"Data":{"PodDeviceEntries":[{"PodUID":"u","ContainerName":"c",
          "ResourceName":"warpshare.io/gpu","DeviceIDs":["GPU-a::00"],"AllocResp":""}]}})",
                               R"({"Data":{"PodDeviceEntries":[{"PodUID":"","ContainerName":"c",
          "ResourceName":"warpshare.io/gpu","DeviceIDs":{},"AllocResp":""}]}})",
                               R"({"Data":{"PodDeviceEntries":[{"PodUID":"u","ContainerName":"c",
          "ResourceName":"warpshare.io/gpu","DeviceIDs":{"-1":[7]},"AllocResp":""}]}})",
                               R"({"Data":{"PodDeviceEntries":[{"PodUID":"u","ContainerName":"c",
          "ResourceName":"warpshare.io/gpu","DeviceIDs":{},"AllocResp":"/////w=="}]}})"};
  for (const char* text : texts) {
    const auto entries = ParseCheckpoint(text, kResource);
    ASSERT_FALSE(entries) << text;
    EXPECT_EQ(entries.error().code, Errc::kCorrupt) << text;
  }
}

TEST(Checkpoint, IsNotFoundWhereTheKubeletWroteNone) {
  EXPECT_EQ(ReadCheckpoint("/no/such/folder/file", kResource).error().code, Errc::kNotFound);
}

}  // namespace
}  // namespace warpshare::platform

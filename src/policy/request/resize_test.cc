#include "policy/request/resize.h"

#include <gtest/gtest.h>

#include "policy/request/warpshare_names.h"

namespace warpshare::request {
namespace {

Result<std::vector<Resize>> Read(const std::string& text) {
  return ReadResizes({{"warpshare.io/resize", text}});
}

PodView Pod(const std::string& resize, TextMap more = {}) {
  TextMap annotations = std::move(more);
  if (!resize.empty()) annotations.emplace("warpshare.io/resize", resize);
  return {.name = "pod",
          .annotations = std::move(annotations),
          .containers = {
              {.name = "main",
               .limits = {{"warpshare.io/gpu-memory", "4096"}, {"warpshare.io/gpu-cores", "30"}}},
              {.name = "side", .limits = {{"warpshare.io/gpu-memory", "1024"}}},
              {.name = "whole", .limits = {{"warpshare.io/gpu", "1"}}},
              {.name = "log"}}};
}

TEST(Resize, NamesContainersOrAllOfThem) {
  EXPECT_TRUE(ReadResizes({})->empty());
  EXPECT_TRUE(Read(" ")->empty());
  EXPECT_EQ(*Read("memory=6GiB,cores=50"),
            (std::vector<Resize>{{.memory = MemoryAmount::Of(6_GiB), .cores = 50}}));
  EXPECT_EQ(*Read("main: memory = 25% ; side:cores=0"),
            (std::vector<Resize>{{.container = "main", .memory = MemoryAmount::Share(2'500)},
                                 {.container = "side", .cores = 0}}));
}

TEST(Resize, WhatMakesNoSenseIsRefusedWithWhatToWrite) {
  const struct {
    const char* text;
    const char* mend;
  } cases[] = {
      {"memory=6", "memory=6GiB"},      {"memory=0GiB", "memory=6GiB"},
      {"memory=0%", "memory=6GiB"},     {"cores=101", "cores=50"},
      {"cores=-1", "cores=50"},         {"cores=", "cores=50"},
      {"memory", "memory=6GiB"},        {"size=1GiB", "memory=6GiB"},
      {"cores=1,cores=2", "once"},      {"a:cores=1;a:cores=2", "once"},
      {":cores=1", "name a container"}, {";", "memory=6GiB"},
  };
  for (const auto& [text, mend] : cases) {
    const auto read = Read(text);
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.error().message.find(mend), std::string::npos) << text << read.error().message;
  }
}

TEST(Resize, CountsInPlaceOfTheSpec) {
  const auto request = ParseWarpshareNames(Pod("memory=2GiB;main:cores=60"));
  ASSERT_TRUE(request) << request.error().message;
  const auto& containers = request->containers;
  EXPECT_EQ(containers[0].memory, MemoryAmount::Of(2_GiB));
  EXPECT_EQ(containers[0].cores_percent, 60u);
  EXPECT_EQ(containers[1].memory, MemoryAmount::Of(2_GiB));
  EXPECT_EQ(containers[1].cores_percent, 0u);
  EXPECT_TRUE(containers[2].whole) << "a whole card stays what it is";
  EXPECT_EQ(containers[3].cards, 0u);
}

TEST(Resize, CoresComeAndGoWithTheModeThatNeedsThem) {
  EXPECT_EQ(ParseWarpshareNames(Pod("main:cores=0"))->containers[0].compute.mode,
            share::Mode::kWeighted);
  EXPECT_EQ(ParseWarpshareNames(Pod("side:cores=5"))->containers[1].compute.mode,
            share::Mode::kHard);
}

TEST(Resize, OfAContainerWithoutAPartOfACardIsRefused) {
  for (const char* name : {"whole", "log", "nobody"}) {
    const auto request = ParseWarpshareNames(Pod(std::string(name) + ":memory=1GiB"));
    ASSERT_FALSE(request) << name;
    EXPECT_NE(request.error().message.find(name), std::string::npos) << request.error().message;
  }
}

TEST(Resize, ThatMakesNoSenseTakesNothingFromAPlacedPod) {
  const auto standing = ParseOfPlacedPod(Pod("memory=lots", {{"warpshare.io/priority", "?"}}));
  ASSERT_TRUE(standing);
  EXPECT_TRUE(standing->bad_wish);
  EXPECT_EQ(standing->request.containers[0].memory, MemoryAmount::Of(4_GiB));
  EXPECT_FALSE(ParseOfPlacedPod(Pod("memory=6GiB"))->bad_wish);
  PodView broken = Pod("");
  broken.containers[0].limits["warpshare.io/gpu-cores"] = "many";
  EXPECT_FALSE(ParseOfPlacedPod(broken));
}

}  // namespace
}  // namespace warpshare::request

#include "node/tenancy/container_claim.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace warpshare::node {
namespace {

const ContainerClaim kFull = {.device_ids = {"GPU-a::00", "GPU-b::07"},
                              .pod_uid = "u1",
                              .pod_namespace = "default",
                              .pod_name = "train",
                              .assignment = "v1;node-a;main=GPU-a:4GiB:30:hard",
                              .lowered_from = "v1;node-a;main=GPU-a:6GiB:30:hard",
                              .container = "main"};

TEST(ContainerClaim, IsReadAsItWasWritten) {
  char pattern[] = "/tmp/container_claim_test.XXXXXX";
  const std::string folder = mkdtemp(pattern);
  const std::string path = folder + "/claim";
  EXPECT_EQ(ReadClaim(path).error().code, Errc::kNotFound);
  for (const ContainerClaim& claim : {ContainerClaim{.device_ids = {"GPU-a::00"}}, kFull}) {
    ASSERT_TRUE(WriteClaim(path, claim));
    const auto read = ReadClaim(path);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, claim);
  }
  std::filesystem::remove_all(folder);
}

TEST(ContainerClaim, WhatIsNoneIsAnError) {
  for (const char* text : {"", "device", "device=a", "pod=p\n", "device=a\nwho=b\n", "\n"}) {
    const auto claim = ParseClaim(text);
    ASSERT_FALSE(claim) << text;
    EXPECT_EQ(claim.error().code, Errc::kCorrupt);
  }
}

}  // namespace
}  // namespace warpshare::node

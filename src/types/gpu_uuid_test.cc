#include "types/gpu_uuid.h"

#include <gtest/gtest.h>

namespace warpshare {
namespace {

constexpr char kText[] = "GPU-5d2bf5a3-0c4c-4b2f-8a5e-2a6b5a2f9d11";

TEST(GpuUuid, ReadsAndPrintsTheDriversForm) {
  const auto uuid = ParseGpuUuid(kText);
  ASSERT_TRUE(uuid);
  EXPECT_EQ(uuid->bytes()[0], 0x5d);
  EXPECT_EQ(uuid->bytes()[15], 0x11);
  EXPECT_EQ(uuid->Text(), kText);
  EXPECT_EQ(uuid->ShortText(), "GPU-5d2bf5a3");
  EXPECT_EQ(ParseGpuUuid("GPU-5D2BF5A3-0C4C-4B2F-8A5E-2A6B5A2F9D11"), uuid);
}

TEST(GpuUuid, RefusesEverythingElse) {
  for (const char* text :
       {"", "GPU-", "5d2bf5a3-0c4c-4b2f-8a5e-2a6b5a2f9d11", "GPU-5d2bf5a3",
        "GPU-5d2bf5a3-0c4c-4b2f-8a5e-2a6b5a2f9d1", "GPU-5d2bf5a3-0c4c-4b2f-8a5e-2a6b5a2f9d1g",
        "GPU-5d2bf5a310c4c-4b2f-8a5e-2a6b5a2f9d11", "MIG-5d2bf5a3-0c4c-4b2f-8a5e-2a6b5a2f9d11"})
    EXPECT_EQ(ParseGpuUuid(text), std::nullopt) << text;
}

TEST(GpuUuid, IsKnownByItsBeginningAsCudaKnowsIt) {
  const GpuUuid uuid = *ParseGpuUuid(kText);
  EXPECT_TRUE(uuid.StartsWith("GPU-5d2b"));
  EXPECT_TRUE(uuid.StartsWith("GPU-5D2B"));
  EXPECT_TRUE(uuid.StartsWith(kText));
  EXPECT_FALSE(uuid.StartsWith("GPU-5d2c"));
  EXPECT_FALSE(uuid.StartsWith("5d2b"));
  EXPECT_FALSE(uuid.StartsWith(std::string(kText) + "0"));
}

}  // namespace
}  // namespace warpshare

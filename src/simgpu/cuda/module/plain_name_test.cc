#include "simgpu/cuda/module/plain_name.h"

#include <gtest/gtest.h>

namespace simgpu::cuda {
namespace {

TEST(PlainName, IsTheLastPartOfAMangledOne) {
  EXPECT_EQ(PlainName("spin_5us"), "spin_5us");
  EXPECT_EQ(PlainName("_Z8spin_5usPf"), "spin_5us");
  EXPECT_EQ(PlainName("_ZN3lib4impl8spin_5usEPKfi"), "spin_5us");
  EXPECT_EQ(PlainName("_Z99short"), "_Z99short");
  EXPECT_EQ(PlainName("_Z"), "_Z");
}

}  // namespace
}  // namespace simgpu::cuda

#include "simgpu/cuda/vmm/address_space.h"

#include <gtest/gtest.h>

namespace simgpu::cuda {
namespace {

constexpr uintptr_t kBase = 0x700000000000;
constexpr size_t kMiB2 = 2 << 20;

class AddressSpaceTest : public ::testing::Test {
 protected:
  AddressSpaceTest() { space_.Reserve({kBase, 8 * kMiB2}); }

  bool Map(size_t first, size_t count) {
    return space_.Map({kBase + first * kMiB2, count * kMiB2}, nullptr) != nullptr;
  }
  size_t CountCovering(size_t first, size_t count) {
    return space_.Covering({kBase + first * kMiB2, count * kMiB2}).size();
  }

  AddressSpace space_;
};

TEST_F(AddressSpaceTest, MapsOnlyInsideAReservation) {
  EXPECT_TRUE(Map(0, 8));
  AddressSpace other;
  other.Reserve({kBase, kMiB2});
  EXPECT_EQ(other.Map({kBase + kMiB2, kMiB2}, nullptr), nullptr);
  EXPECT_EQ(other.Map({kBase, 2 * kMiB2}, nullptr), nullptr);
  EXPECT_EQ(other.Map({kBase - kMiB2, kMiB2}, nullptr), nullptr);
  EXPECT_EQ(other.Map({kBase, 0}, nullptr), nullptr);
}

TEST_F(AddressSpaceTest, RefusesToMapWhatIsMapped) {
  ASSERT_TRUE(Map(2, 2));
  EXPECT_FALSE(Map(2, 2));
  EXPECT_FALSE(Map(1, 2));
  EXPECT_FALSE(Map(3, 1));
  EXPECT_FALSE(Map(0, 8));
  EXPECT_TRUE(Map(0, 2));
  EXPECT_TRUE(Map(4, 1));
}

TEST_F(AddressSpaceTest, CoversWithWholeMappingsWithoutAGap) {
  ASSERT_TRUE(Map(0, 1));
  ASSERT_TRUE(Map(1, 2));
  ASSERT_TRUE(Map(4, 1));
  EXPECT_EQ(CountCovering(0, 3), 2u);
  EXPECT_EQ(CountCovering(1, 2), 1u);
  EXPECT_EQ(CountCovering(0, 2), 0u);  // half of one
  EXPECT_EQ(CountCovering(2, 1), 0u);
  EXPECT_EQ(CountCovering(0, 5), 0u);  // a gap
  EXPECT_EQ(CountCovering(6, 1), 0u);
}

TEST_F(AddressSpaceTest, UnreservesOnlyWhatIsWholeAndEmpty) {
  ASSERT_TRUE(Map(7, 1));
  EXPECT_FALSE(space_.Unreserve({kBase, 8 * kMiB2}));
  space_.Unmap(*space_.MappingOf(kBase + 7 * kMiB2));
  EXPECT_FALSE(space_.Unreserve({kBase, 4 * kMiB2}));
  EXPECT_FALSE(space_.Unreserve({kBase + kMiB2, 8 * kMiB2}));
  EXPECT_TRUE(space_.Unreserve({kBase, 8 * kMiB2}));
  EXPECT_EQ(space_.ReservationOf(kBase), nullptr);
}

TEST_F(AddressSpaceTest, FindsWhatHoldsAnAddress) {
  ASSERT_TRUE(Map(1, 1));
  EXPECT_EQ(space_.MappingOf(kBase), nullptr);
  EXPECT_EQ(space_.MappingOf(kBase + 2 * kMiB2 - 1)->range.base, kBase + kMiB2);
  EXPECT_EQ(space_.MappingOf(kBase + 2 * kMiB2), nullptr);
  EXPECT_EQ(space_.ReservationOf(kBase + 5)->base, kBase);
  EXPECT_EQ(space_.ReservationOf(kBase + 8 * kMiB2), nullptr);
}

TEST(Mapping, LetsTheProcessDoWhatAnyCardMay) {
  Mapping mapping;
  EXPECT_EQ(mapping.Strongest(), CU_MEM_ACCESS_FLAGS_PROT_NONE);
  mapping.access[0] = CU_MEM_ACCESS_FLAGS_PROT_READ;
  EXPECT_EQ(mapping.Strongest(), CU_MEM_ACCESS_FLAGS_PROT_READ);
  mapping.access[1] = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  EXPECT_EQ(mapping.Strongest(), CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
}

}  // namespace
}  // namespace simgpu::cuda

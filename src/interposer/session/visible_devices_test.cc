#include "interposer/session/visible_devices.h"

#include <gtest/gtest.h>

#include <string>

namespace warpshare::interposer {
namespace {

// In the order of the page; the first two begin alike.
const std::string kA = "GPU-aa000000-0000-0000-0000-000000000000";
const std::string kB = "GPU-aa110000-0000-0000-0000-0000000000ff";
const std::string kC = "GPU-bb220000-0000-0000-0000-000000000000";

class VisibleDevicesTest : public ::testing::Test {
 protected:
  VisibleDevicesTest() {
    limits_.card_count = 3;
    limits_.cards[0].uuid[0] = 0xaa;
    limits_.cards[1].uuid[0] = 0xaa;
    limits_.cards[1].uuid[1] = 0x11;
    limits_.cards[1].uuid[15] = 0xff;
    limits_.cards[2].uuid[0] = 0xbb;
    limits_.cards[2].uuid[1] = 0x22;
  }

  std::string Compose(const char* wanted) {
    VisibleDevices visible;
    ComposeVisibleDevices(wanted, limits_, visible);
    EXPECT_FALSE(visible.was_cut());
    return visible.text();
  }

  abi::LimitsPageV1 limits_{};
};

TEST_F(VisibleDevicesTest, NotSetShowsAllThatWereGranted) {
  EXPECT_EQ(Compose(nullptr), kA + "," + kB + "," + kC);
  limits_.card_count = 1;
  EXPECT_EQ(Compose(nullptr), kA);
  limits_.card_count = 0;
  EXPECT_EQ(Compose(nullptr), "");
}

TEST_F(VisibleDevicesTest, HoldsAsManyCardsAsThePageCan) {
  limits_.card_count = abi::kMaxCards;
  for (uint32_t card = 0; card < abi::kMaxCards; ++card)
    limits_.cards[card].uuid[8] = static_cast<uint8_t>(card);
  const std::string all = Compose(nullptr);
  EXPECT_EQ(all.size(), abi::kMaxCards * kA.size() + abi::kMaxCards - 1);
  EXPECT_EQ(Compose(all.c_str()), all);
}

struct Row {
  const char* wanted;
  std::string shown;
};

class VisibleDevicesTable : public VisibleDevicesTest, public ::testing::WithParamInterface<Row> {};

TEST_P(VisibleDevicesTable, ChoosesAmongTheGrantedCards) {
  EXPECT_EQ(Compose(GetParam().wanted), GetParam().shown);
}

TEST_P(VisibleDevicesTable, GivesAChildThatInheritsItTheSame) {
  EXPECT_EQ(Compose(Compose(GetParam().wanted).c_str()), GetParam().shown);
}

INSTANTIATE_TEST_SUITE_P(Indices, VisibleDevicesTable,
                         ::testing::Values(Row{"0", kA}, Row{"1", kB}, Row{"2,0", kC + "," + kA},
                                           Row{"0,1,2", kA + "," + kB + "," + kC},
                                           Row{" 1 , 0 ", kB + "," + kA}, Row{"+2", kC},
                                           Row{"1x,2", kB + "," + kC},
                                           Row{"00000000000000001", kB}));

INSTANTIATE_TEST_SUITE_P(None, VisibleDevicesTable,
                         ::testing::Values(Row{"", ""}, Row{" ", ""}, Row{",0", ""}, Row{"-1", ""},
                                           Row{"3", ""}, Row{"NoDevFiles", ""}, Row{"none", ""},
                                           Row{"all", ""}, Row{"99999999999999999999", ""},
                                           Row{"4294967296", ""}, Row{"+", ""}));

INSTANTIATE_TEST_SUITE_P(EndsBeforeTheFirstThatIsNotGranted, VisibleDevicesTable,
                         ::testing::Values(Row{"1,3,0", kB}, Row{"0,-1,1", kA}, Row{"1,,0", kB},
                                           Row{"1,", kB}, Row{"0,GPU-bb", kA}, Row{"GPU-bb,0", kC},
                                           Row{"GPU-bb,GPU-cc,GPU-aa11", kC},
                                           Row{"GPU-bb,GPU-aa", kC}));

INSTANTIATE_TEST_SUITE_P(NamedTwiceIsNone, VisibleDevicesTable,
                         ::testing::Values(Row{"0,0", ""}, Row{"2,1,2", ""},
                                           Row{"GPU-bb,GPU-bb22", ""}, Row{"GPU-bb,MIG-bb", ""}));

INSTANTIATE_TEST_SUITE_P(
    Uuids, VisibleDevicesTable,
    ::testing::Values(Row{"GPU-bb220000-0000-0000-0000-000000000000", kC}, Row{"GPU-bb", kC},
                      Row{"GPU-aa11", kB}, Row{"GPU-bb,GPU-aa0", kC + "," + kA},
                      Row{"GPU-AA11", kB},
                      Row{"GPU-AA110000-0000-0000-0000-0000000000FF , GPU-bb", kB + "," + kC},
                      Row{"GPU-aa", ""}, Row{"GPU-", ""}, Row{"GPU-cc", ""}, Row{"gpu-bb", ""},
                      Row{"GPU-bb220000-0000-0000-0000-0000000000000", ""}, Row{"GPU", ""}));

INSTANTIATE_TEST_SUITE_P(MigDevices, VisibleDevicesTable,
                         ::testing::Values(Row{"MIG-bb220000-0000-0000-0000-000000000000",
                                               "MIG-bb220000-0000-0000-0000-000000000000"},
                                           Row{"MIG-cc220000-0000-0000-0000-000000000000", ""},
                                           Row{"MIG-GPU-bb220000/1/0", ""},
                                           Row{"GPU-aa11,MIG-dd", kB}));

}  // namespace
}  // namespace warpshare::interposer

#include "policy/node_cards/node_cards.h"

#include <gtest/gtest.h>

namespace warpshare::node_cards {
namespace {

constexpr char kTwo[] =
    "v1;GPU-00000000-0000-0000-0000-000000000001:40GiB:16:ok:0:1:NVIDIA A100: 40GB"
    ";GPU-00000000-0000-0000-0000-000000000002:15109MiB:8:bad:-:0:Tesla T4";

TEST(NodeCards, SayAllThatPlacementWantsToKnow) {
  const auto cards = Decode(kTwo);
  ASSERT_TRUE(cards) << cards.error().message;
  ASSERT_EQ(cards->size(), 2u);
  const place::CardSpec& first = cards->front();
  EXPECT_EQ(first.uuid.Text(), "GPU-00000000-0000-0000-0000-000000000001");
  EXPECT_EQ(first.memory, 40_GiB);
  EXPECT_EQ(first.slots, 16u);
  EXPECT_TRUE(first.healthy);
  EXPECT_EQ(first.numa_node, 0);
  EXPECT_EQ(first.link_group, 1);
  EXPECT_EQ(first.model, "NVIDIA A100: 40GB");
  EXPECT_FALSE(cards->back().healthy);
  EXPECT_EQ(cards->back().numa_node, -1);
  EXPECT_EQ(Encode(*cards), kTwo);
}

TEST(NodeCards, ANodeWithoutCardsHasATextToo) {
  EXPECT_EQ(Encode({}), "v1");
  EXPECT_TRUE(Decode("v1")->empty());
}

TEST(NodeCards, AModelCannotEndItsCard) {
  const std::string text = Encode({{.uuid = GpuUuid(), .model = "A;B\n\x1b", .memory = 1_GiB}});
  const auto cards = Decode(text);
  ASSERT_TRUE(cards) << cards.error().message;
  EXPECT_EQ(cards->front().model, "A?B??");
}

TEST(NodeCards, AnyOtherSpellingIsRefused) {
  const std::string card = "GPU-00000000-0000-0000-0000-000000000001:40GiB:16:ok:0:1:A100";
  ASSERT_TRUE(Decode("v1;" + card));
  const std::string bad[] = {
      "",
      "v2;" + card,
      "v1;",
      "v1;;" + card,
      "v1;" + card + ";",
      "v1;" + card + ";" + card,
      "v1;GPU-1:40GiB:16:ok:0:1:A100",
      "v1;GPU-00000000-0000-0000-0000-000000000001:40960MiB:16:ok:0:1:A100",
      "v1;GPU-00000000-0000-0000-0000-000000000001:0B:16:ok:0:1:A100",
      "v1;GPU-00000000-0000-0000-0000-000000000001:40GiB:99999:ok:0:1:A100",
      "v1;GPU-00000000-0000-0000-0000-000000000001:40GiB:-1:ok:0:1:A100",
      "v1;GPU-00000000-0000-0000-0000-000000000001:40GiB:16:fine:0:1:A100",
      "v1;GPU-00000000-0000-0000-0000-000000000001:40GiB:16:ok:-1:1:A100",
      "v1;GPU-00000000-0000-0000-0000-000000000001:40GiB:16:ok:0:70000:A100",
      "v1;GPU-00000000-0000-0000-0000-000000000001:40GiB:16:ok:0:1",
      "v1;" + card + std::string(kMaxModelBytes, 'x'),
  };
  for (const std::string& text : bad) EXPECT_FALSE(Decode(text)) << text;
}

}  // namespace
}  // namespace warpshare::node_cards

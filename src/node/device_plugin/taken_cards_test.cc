#include "node/device_plugin/taken_cards.h"

#include "node/device_plugin/fake/plugin_fixture.h"
#include "node/device_plugin/held_parts.h"

namespace warpshare::node {
namespace {

TEST(CardOfDevice, KnowsTheNamesThatPluginsGive) {
  const GpuUuid first(std::array<uint8_t, 16>{1});
  const GpuUuid second(std::array<uint8_t, 16>{2});
  const auto card = [](uint32_t index, uint32_t minor, const GpuUuid& uuid) {
    return CardState{.card = {.index = index,
                              .uuid = uuid,
                              .name = "T4",
                              .total = 1_GiB,
                              .used = 0_B,
                              .minor = minor},
                     .is_healthy = true};
  };
  const std::vector<CardState> cards = {card(0, 7, first), card(1, 6, second)};
  const struct {
    std::string id;
    std::optional<GpuUuid> expected;
  } table[] = {
      {first.Text(), first},
      {second.Text() + "::3", second},
      {"0", first},
      {"1::0", second},
      {"nvidia6", second},
      {"nvidia7/vgpu1", first},
      {"2", std::nullopt},
      {"nvidia0", std::nullopt},
      {"nvidia", std::nullopt},
      {"", std::nullopt},
      {"::", std::nullopt},
      {GpuUuid(std::array<uint8_t, 16>{3}).Text(), std::nullopt},
      {"MIG-4c11ae88-5c5c-54a8-a5c4-4cb2a2d4a0b7", std::nullopt},
  };
  for (const auto& [id, expected] : table) EXPECT_EQ(CardOfDevice(id, cards), expected) << id;
}

class TakenCardsTest : public PluginFixture {
 protected:
  std::string Text() {
    taken_->Look();
    return taken_->Text();
  }
  std::string Whole(size_t card) const { return cards_[card].uuid.Text() + ":40GiB:100:whole"; }
};

TEST_F(TakenCardsTest, TellsOfWholeCardsForAsLongAsPodsHaveThem) {
  EXPECT_EQ(taken_->Text(), "") << "nobody has asked yet";
  EXPECT_EQ(Text(), "v1;node-a");
  others_->Give("a", {cards_[1].uuid.Text() + "::0"});
  others_->Give("b", {cards_[1].uuid.Text() + "::1"});
  EXPECT_EQ(Text(), "v1;node-a;nvidia.com.gpu=" + Whole(1));
  EXPECT_EQ(taken_->Now(),
            (std::vector<TakenCard>{
                {.uuid = cards_[1].uuid, .memory = 40_GiB, .pods = {"default/a", "default/b"}}}));
  others_->Give("a", {"0"});
  others_->Give("b", {});
  EXPECT_EQ(Text(), "v1;node-a;nvidia.com.gpu=" + Whole(0));
  others_->Give("a", {});
  EXPECT_EQ(Text(), "v1;node-a");
}

TEST_F(TakenCardsTest, KeepsToWhatTheKubeletSaidLast) {
  others_->Give("a", {"0"});
  const std::string before = Text();
  others_->StopAnswering();
  others_->Give("a", {});
  EXPECT_FALSE(taken_->Look());
  EXPECT_EQ(taken_->Text(), before);
}

TEST_F(TakenCardsTest, LogsADeviceThatIsNoCardHere) {
  others_->Give("a", {"MIG-1"});
  EXPECT_EQ(Text(), "v1;node-a");
  EXPECT_TRUE(log_.Has("MIG-1"));
}

TEST_F(TakenCardsTest, CountAsGivenAwayInTheNodesMetrics) {
  others_->Give("a", {"0"});
  taken_->Look();
  const auto parts = FindHeldParts(source_, {}, *taken_);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->at(cards_[0].uuid), (HeldPart{.memory = 40_GiB, .cores_percent = 100}));
  EXPECT_FALSE(parts->contains(cards_[1].uuid));
}

TEST_F(TakenCardsTest, APodThatCameByItselfIsGivenAnotherCard) {
  others_->Give("a", {"0"});
  StartPlugin();
  Bind("u1", 4_GiB, 30, std::nullopt);
  const auto started = kubelet_->StartContainer("u1", "main");
  ASSERT_TRUE(started) << started.error().message;
  EXPECT_EQ(LimitsIn(*started).cards.at(0).uuid, cards_[1].uuid);
}

TEST_F(TakenCardsTest, APodThatWasPlacedThereDoesNotStartAndSaysWhy) {
  others_->Give("a", {"0"});
  StartPlugin();
  Bind("u1", 4_GiB, 30, 0);
  const auto started = kubelet_->StartContainer("u1", "main");
  ASSERT_FALSE(started);
  EXPECT_NE(started.error().message.find("was given to pod default/a by NVIDIA's device plugin"),
            std::string::npos)
      << started.error().message;
}

}  // namespace
}  // namespace warpshare::node

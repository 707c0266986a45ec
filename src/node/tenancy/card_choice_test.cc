#include "node/tenancy/card_choice.h"

#include "node/tenancy/fake/tenancy_fixture.h"

namespace warpshare::node {
namespace {

class CardChoiceTest : public TenancyFixture {
 protected:
  std::vector<uint32_t> Choose(const std::vector<std::string>& wanted,
                               const std::optional<std::string>& visible = std::nullopt) {
    const auto cards = ChooseCards({machine_}, wanted, visible);
    std::vector<uint32_t> indices;
    if (cards)
      for (const platform::Card& card : *cards) indices.push_back(card.index);
    return indices;
  }
};

using Indices = std::vector<uint32_t>;

TEST_F(CardChoiceTest, TakesAllCardsWhenNothingIsSaid) {
  EXPECT_EQ(Choose({}), (Indices{0, 1, 2}));
}

TEST_F(CardChoiceTest, TakesIndicesAndBeginningsOfUuidsInOrder) {
  EXPECT_EQ(Choose({"2", "0"}), (Indices{2, 0}));
  EXPECT_EQ(Choose({machine_[1].uuid.Text(), "1"}), (Indices{1}));
  EXPECT_EQ(Choose({"GPU-02ab"}), (Indices{2}));
}

TEST_F(CardChoiceTest, NamesTheCardThatIsNotThereAndThoseThatAre) {
  const auto cards = ChooseCards({machine_}, {"0", "x\x1b"}, std::nullopt);
  ASSERT_FALSE(cards);
  EXPECT_EQ(
      cards.error().message,
      "no card 'x?' on this machine: --gpu takes one of 0 (GPU-00ab0000), 1 (GPU-01ab0000), 2 "
      "(GPU-02ab0000)");
  EXPECT_FALSE(ChooseCards({machine_}, {"3"}, std::nullopt));
  EXPECT_FALSE(ChooseCards({machine_}, {"GPU-0"}, std::nullopt)) << "begins three uuids";
}

TEST_F(CardChoiceTest, RefusesACardThatCannotBeReadAndNoOther) {
  const platform::CardList machine{
      .cards = {machine_[0], machine_[2]},
      .unreadable = {{1, std::nullopt, {Errc::kUnavailable, "cannot read card 1"}}}};
  EXPECT_EQ(ChooseCards(machine, {"2"}, std::nullopt)->size(), 1u);
  EXPECT_EQ(ChooseCards(machine, {}, std::nullopt)->size(), 2u);
  EXPECT_EQ(ChooseCards(machine, {}, "2,1")->size(), 1u);
  EXPECT_EQ(ChooseCards(machine, {"0", "1"}, std::nullopt).error().message, "cannot read card 1");
  const platform::CardList none{.cards = {}, .unreadable = machine.unreadable};
  EXPECT_EQ(ChooseCards(none, {}, std::nullopt).error().message, "cannot read card 1");
}

TEST_F(CardChoiceTest, ReadsTheVisibleDevicesAsCudaDoes) {
  EXPECT_EQ(Choose({}, "1"), (Indices{1}));
  EXPECT_EQ(Choose({}, "2,0"), (Indices{2, 0}));
  EXPECT_EQ(Choose({}, " 2 , 0"), (Indices{2, 0}));
  EXPECT_EQ(Choose({}, "0,7,1"), (Indices{0})) << "ends at the first that is none";
  EXPECT_EQ(Choose({}, "GPU-01ab,0"), (Indices{1, 0}));
  EXPECT_EQ(Choose({"1"}, "0"), (Indices{1})) << "--gpu counts";
}

TEST_F(CardChoiceTest, SaysWhenTheVisibleDevicesShowNone) {
  for (const char* visible : {"", "-1", "none", "0,0"}) {
    const auto cards = ChooseCards({machine_}, {}, visible);
    ASSERT_FALSE(cards) << visible;
    EXPECT_NE(cards.error().message.find("shows no card"), std::string::npos);
  }
  EXPECT_EQ(ChooseCards({{}}, {}, std::nullopt).error().code, Errc::kNotFound);
}

TEST_F(CardChoiceTest, KnowsWhenCudaWouldCountInAnotherOrder) {
  const auto otherwise = [&](const char* visible, const char* order) {
    return CountsOtherwise({machine_}, visible ? std::optional<std::string>(visible) : std::nullopt,
                           order ? std::optional<std::string>(order) : std::nullopt);
  };
  EXPECT_FALSE(otherwise("1,0", nullptr)) << "cards of one model";
  machine_[1].name = "Faster Card";
  EXPECT_TRUE(otherwise("1,0", nullptr));
  EXPECT_TRUE(otherwise(" 0", "FASTEST_FIRST"));
  EXPECT_FALSE(otherwise("1,0", "PCI_BUS_ID"));
  EXPECT_FALSE(otherwise("GPU-01ab", nullptr));
  EXPECT_FALSE(otherwise("", nullptr));
  EXPECT_FALSE(otherwise(nullptr, nullptr));
}

}  // namespace
}  // namespace warpshare::node

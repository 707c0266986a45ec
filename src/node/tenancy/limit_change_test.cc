#include "node/tenancy/limit_change.h"

#include "node/tenancy/fake/tenancy_fixture.h"

namespace warpshare::node {
namespace {

class LimitChangeTest : public TenancyFixture {
 protected:
  LimitChangeTest() : member_(EnterWithAllCards()) {}

  Membership EnterWithAllCards() {
    TenantRequest request = Request("train", MemoryAmount::Of(4_GiB));
    request.chosen = machine_;
    return std::move(Enter(request).value());
  }

  auto Change(const char* memory, std::optional<std::string> card = std::nullopt) {
    return ChangeLimits(State(),
                        {.tenant = *ParseTenantName("train"),
                         .card = std::move(card),
                         .memory = MemoryChange{ParseMemoryAmount(memory)}},
                        clock_);
  }

  auto ChangeCompute(const ComputeRequest& compute,
                     std::optional<std::string> card = std::nullopt) {
    return ChangeLimits(
        State(), {.tenant = *ParseTenantName("train"), .card = std::move(card), .compute = compute},
        clock_);
  }

  ComputeLimit Compute(size_t card) {
    return FromPage(
        platform::ReadLimitsFile(member_.tenant().limits_path())->cards.at(card).compute);
  }

  std::optional<Bytes> Limit(size_t card) {
    return platform::ReadLimitsFile(member_.tenant().limits_path())->cards.at(card).memory;
  }

  Membership member_;
};

TEST_F(LimitChangeTest, ReachesAllCardsOrTheOneNamed) {
  ASSERT_TRUE(Change("6GiB"));
  EXPECT_EQ(Limit(0), 6_GiB);
  EXPECT_EQ(Limit(2), 6_GiB);
  const auto changes = Change("50%", "1");
  ASSERT_TRUE(changes);
  ASSERT_EQ(changes->size(), 1u);
  EXPECT_EQ(changes->at(0).card.limit, 6_GiB);
  EXPECT_EQ(changes->at(0).memory, 20_GiB);
  EXPECT_EQ(Limit(1), 20_GiB);
  EXPECT_EQ(Limit(2), 6_GiB);
  ASSERT_TRUE(Change("1GiB", machine_[2].uuid.Text()));
  EXPECT_EQ(Limit(2), 1_GiB);
}

TEST_F(LimitChangeTest, LiftsALimit) {
  const auto changes = ChangeLimits(
      State(),
      {.tenant = *ParseTenantName("train"), .card = "1", .memory = MemoryChange{std::nullopt}},
      clock_);
  ASSERT_TRUE(changes) << changes.error().message;
  EXPECT_EQ(changes->at(0).memory, std::nullopt);
  EXPECT_EQ(Limit(1), std::nullopt);
  EXPECT_EQ(Limit(0), 4_GiB);
}

TEST_F(LimitChangeTest, RefusesAWordThatNamesSeveralCards) {
  for (const char* word : {"GPU-", "GPU-0"}) {
    const auto changes = Change("6GiB", word);
    ASSERT_FALSE(changes) << word;
    EXPECT_EQ(changes.error().code, Errc::kInvalid);
    EXPECT_NE(changes.error().message.find(word), std::string::npos);
  }
  for (size_t card = 0; card < 3; ++card) EXPECT_EQ(Limit(card), 4_GiB);
  EXPECT_TRUE(Change("6GiB", "GPU-01"));
}

TEST_F(LimitChangeTest, MayGoBelowWhatIsHeld) {
  FakeProcess process(member_.tenant().usage_path(), 0);
  ASSERT_TRUE(process.Take(0, 3_GiB, 4_GiB));
  const auto changes = Change("2GiB", "0");
  ASSERT_TRUE(changes);
  EXPECT_EQ(changes->at(0).card.used, 3_GiB);
  EXPECT_EQ(Limit(0), 2_GiB);
}

TEST_F(LimitChangeTest, ChangesNothingWhenOneCardCannotTakeIt) {
  EXPECT_EQ(Change("41GiB").error().code, Errc::kInvalid);
  EXPECT_EQ(Limit(0), 4_GiB);
}

TEST_F(LimitChangeTest, GivesEachCardAnAccountOfGpuTime) {
  const ComputeLimit hard = share::Terms{.mode = share::Mode::kHard, .share_permille = 300};
  ASSERT_TRUE(ChangeCompute({.is_lifted = false, .change = {.share_permille = 300}}));
  EXPECT_EQ(Compute(0), hard);
  const auto changes =
      ChangeCompute({.is_lifted = false, .change = {.mode = share::Mode::kSoft}}, "1");
  ASSERT_TRUE(changes);
  EXPECT_EQ(changes->at(0).card.compute.limit, hard);
  EXPECT_EQ(changes->at(0).compute->mode, share::Mode::kSoft);
  EXPECT_EQ(Compute(1)->share_permille, 300u);
  EXPECT_EQ(Compute(2), hard);
  ASSERT_TRUE(ChangeCompute({.is_lifted = true, .change = {}}));
  EXPECT_EQ(Compute(1), std::nullopt);
  EXPECT_EQ(Limit(1), 4_GiB) << "as it was";
}

TEST_F(LimitChangeTest, ChangesNothingWhenTheTermsMakeNoSense) {
  EXPECT_EQ(
      ChangeCompute({.is_lifted = false, .change = {.mode = share::Mode::kSoft}}).error().code,
      Errc::kInvalid);
  EXPECT_EQ(Compute(0), std::nullopt);
}

TEST_F(LimitChangeTest, NamesTheTenantOrCardThatIsNotThere) {
  EXPECT_EQ(Change("1GiB", "7").error().message,
            "tenant 'train' has no card '7': warpshare ps lists its cards");
  const auto unknown =
      ChangeLimits(State(), {.tenant = *ParseTenantName("nobody"), .card = std::nullopt}, clock_);
  EXPECT_EQ(unknown.error().message,
            "no tenant 'nobody' is running: warpshare ps lists those that are");
}

}  // namespace
}  // namespace warpshare::node

#include "node/tenancy/card_promises.h"

#include "node/tenancy/fake/tenancy_fixture.h"
#include "node/tenancy/limit_change.h"

namespace warpshare::node {
namespace {

class CardPromisesTest : public TenancyFixture {
 protected:
  Membership Enter(const char* name, const share::TermsChange& change, size_t card = 0) {
    TenantRequest request = Request(name);
    request.chosen = {machine_[card]};
    request.compute = {.is_lifted = false, .change = change};
    return std::move(TenancyFixture::Enter(request).value());
  }

  static uint32_t StaticShare(const Membership& member) {
    return platform::ReadLimitsFile(member.tenant().limits_path())
        ->cards.at(0)
        .compute.share_permille;
  }
};

TEST_F(CardPromisesTest, DivideACardAnewWhenSomebodyComesOrGoesOrChanges) {
  const Membership first = Enter("first", {.weight = 1});
  EXPECT_EQ(StaticShare(first), 1000u);
  Membership second = Enter("second", {.weight = 3});
  const Membership elsewhere = Enter("elsewhere", {.weight = 3}, 1);
  EXPECT_EQ(StaticShare(first), 250u);
  EXPECT_EQ(StaticShare(second), 750u);
  EXPECT_EQ(StaticShare(elsewhere), 1000u);
  ASSERT_TRUE(ChangeLimits(State(),
                           {.tenant = *ParseTenantName("second"),
                            .card = std::nullopt,
                            .compute = ComputeRequest{false, {.share_permille = 400}}},
                           clock_));
  EXPECT_EQ(StaticShare(first), 600u);
  EXPECT_EQ(StaticShare(second), 400u);
  second.Leave(State(), clock_);
  EXPECT_EQ(StaticShare(first), 1000u);
}

TEST_F(CardPromisesTest, SayWhenACardIsPromisedTwice) {
  const Membership first = Enter("first", {.share_permille = 700});
  const Membership weighted = Enter("weighted", {.weight = 16});
  const Membership second = Enter("second", {.mode = share::Mode::kSoft, .share_permille = 300});
  EXPECT_TRUE(FindOverpromises(State(), "first").empty());
  const Membership third = Enter("third", {.share_permille = 1});
  const Membership elsewhere = Enter("elsewhere", {.share_permille = 900}, 1);
  const auto over = FindOverpromises(State(), "first");
  ASSERT_EQ(over.size(), 1u);
  EXPECT_EQ(over[0].card, "0");
  EXPECT_EQ(over[0].permille, 1001u);
  EXPECT_EQ(over[0].tenants, (std::vector<std::string>{"first", "second", "third"}));
  EXPECT_TRUE(FindOverpromises(State(), "elsewhere").empty());
}

}  // namespace
}  // namespace warpshare::node

#include "cluster/quota/quota_book.h"

#include <gtest/gtest.h>

namespace warpshare::quota {
namespace {

using admit::Amount;
using admit::AmountByModel;

AmountByModel OneCard(Bytes memory, const char* model = "") {
  const Amount amount{.cards = 1, .memory = memory, .cores_percent = 10};
  AmountByModel by_model{{"", amount}};
  if (*model != '\0') by_model[model] = amount;
  return by_model;
}

class QuotaBookTest : public testing::Test {
 protected:
  void Limit(const char* space, admit::LimitByModel limits) {
    quotas_.insert_or_assign(space, std::move(limits));
    book_.SetQuotas(quotas_);
  }
  bool Reserve(const char* uid, const AmountByModel& amount, const char* space = "a") {
    return book_.Reserve(space, uid, amount).has_value();
  }

  Quotas quotas_;
  QuotaBook book_;
};

TEST_F(QuotaBookTest, LetsNothingInBeforeTheLimitsAreKnown) {
  EXPECT_EQ(book_.Check("a", OneCard(1_GiB))->code, Errc::kUnavailable);
  book_.SetQuotas({});
  EXPECT_FALSE(book_.Check("a", OneCard(1_GiB)));
}

TEST_F(QuotaBookTest, HoldsPodsThatComeTogetherToTheLimitOneByOne) {
  Limit("a", {{"", {.memory = 8_GiB}}});
  EXPECT_FALSE(book_.Check("a", OneCard(5_GiB)));
  EXPECT_FALSE(book_.Check("a", OneCard(5_GiB)));  // asking takes nothing
  EXPECT_TRUE(Reserve("1", OneCard(5_GiB)));
  EXPECT_FALSE(Reserve("2", OneCard(5_GiB)));
  EXPECT_TRUE(Reserve("3", OneCard(3_GiB)));
  EXPECT_TRUE(Reserve("4", OneCard(5_GiB), "b"));  // another namespace
}

TEST_F(QuotaBookTest, GivesBackExactlyWhatAPodHad) {
  Limit("a", {{"", {.cards = 2}}});
  ASSERT_TRUE(Reserve("1", OneCard(1_GiB, "T4")));
  ASSERT_TRUE(Reserve("2", OneCard(2_GiB)));
  ASSERT_FALSE(Reserve("3", OneCard(1_GiB)));
  book_.Release("1");
  book_.Release("1");
  book_.Release("nobody");
  EXPECT_EQ(book_.Used("a").at("").memory, 2_GiB);
  EXPECT_TRUE(Reserve("3", OneCard(1_GiB)));
  book_.Release("2");
  book_.Release("3");
  EXPECT_TRUE(book_.Used("a").empty());
}

TEST_F(QuotaBookTest, CountsAPodOnceHoweverOftenItIsReserved) {
  Limit("a", {{"", {.cards = 1, .memory = 4_GiB}}});
  ASSERT_TRUE(Reserve("1", OneCard(1_GiB)));
  EXPECT_TRUE(Reserve("1", OneCard(4_GiB)));
  EXPECT_FALSE(Reserve("1", OneCard(5_GiB)));
  EXPECT_EQ(book_.Used("a").at("").memory, 4_GiB);  // a refusal leaves what was there
}

TEST_F(QuotaBookTest, CountsWhatIsOnNodesWhateverTheLimit) {
  Limit("a", {{"", {.cards = 1}}});
  book_.Count("a", "1", OneCard(1_GiB));
  book_.Count("a", "2", OneCard(1_GiB));
  EXPECT_EQ(book_.Used("a").at("").cards, 2u);
  EXPECT_FALSE(Reserve("3", OneCard(1_GiB)));
}

TEST_F(QuotaBookTest, CountsAllKindsOfAModelUnderItsWord) {
  Limit("a", {{"A100", {.cards = 2}}});
  ASSERT_TRUE(Reserve("1", OneCard(1_GiB, "NVIDIA A100-SXM4-80GB")));
  ASSERT_TRUE(Reserve("2", OneCard(1_GiB, "NVIDIA A100-PCIE-40GB")));
  EXPECT_FALSE(Reserve("3", OneCard(1_GiB, "NVIDIA A100-SXM4-80GB")));
  EXPECT_TRUE(book_.Check("a", OneCard(1_GiB, "A100")));  // a pod's wish, before it has a card
  EXPECT_TRUE(Reserve("3", OneCard(1_GiB, "NVIDIA A10")));
}

TEST_F(QuotaBookTest, HasALimitForNamespacesThatAreNotNamed) {
  Limit("a", {});
  Limit(kOtherNamespaces, {{"", {.cards = 0}}});
  EXPECT_TRUE(Reserve("1", OneCard(1_GiB), "a"));
  EXPECT_FALSE(Reserve("2", OneCard(1_GiB), "b"));
}

TEST_F(QuotaBookTest, LetsNothingInUnderAQuotaThatCannotBeRead) {
  quotas_.insert_or_assign("a", Fail(Errc::kInvalid, "line 1"));
  book_.SetQuotas(quotas_);
  const auto error = book_.Check("a", OneCard(1_GiB));
  ASSERT_TRUE(error);
  EXPECT_NE(error->message.find("line 1"), std::string::npos);
  EXPECT_FALSE(book_.Check("b", OneCard(1_GiB)));
}

TEST_F(QuotaBookTest, AsksWhatWouldBeIfSomePodsHadNothing) {
  Limit("a", {{"", {.cards = 1}}});
  ASSERT_TRUE(Reserve("1", OneCard(1_GiB)));
  EXPECT_TRUE(book_.CheckWithout({"2"}, "a", OneCard(1_GiB)));
  EXPECT_FALSE(book_.CheckWithout({"1"}, "a", OneCard(1_GiB)));
  EXPECT_EQ(book_.Used("a").at("").cards, 1u);
}

TEST_F(QuotaBookTest, LimitsTheNamespacesThatHaveAQuota) {
  EXPECT_TRUE(book_.Limits("a"));  // not read yet
  Limit("a", {{"", {.cards = 1}}});
  EXPECT_TRUE(book_.Limits("a"));
  EXPECT_FALSE(book_.Limits("b"));
  Limit(kOtherNamespaces, {{"", {.cards = 1}}});
  EXPECT_TRUE(book_.Limits("b"));
  Limit("b", {{"", {}}});
  EXPECT_FALSE(book_.Limits("b")) << "it says that nothing is limited";
}

TEST_F(QuotaBookTest, SumsThatNoNumberHoldsComeBackExactly) {
  Limit("a", {{"", {.memory = 8_GiB}}});
  ASSERT_TRUE(Reserve("1", OneCard(5_GiB)));
  for (const char* uid : {"forged", "forged too"})
    book_.Count("a", uid, OneCard(Bytes(UINT64_MAX)));
  EXPECT_FALSE(Reserve("2", OneCard(1_GiB)));
  for (const char* uid : {"forged", "forged too"}) book_.Release(uid);
  EXPECT_EQ(book_.Used("a").at("").memory, 5_GiB);
  EXPECT_FALSE(Reserve("2", OneCard(4_GiB)));
}

}  // namespace
}  // namespace warpshare::quota

#include "policy/health/card_health.h"

#include <gtest/gtest.h>

namespace warpshare::health {
namespace {

constexpr uint64_t kStart = 1'000'000'000;

TEST(CardHealth, WhatAProgramDidIsNoFaultOfTheCard) {
  CardHealth card;
  for (const uint64_t xid : {13, 31, 43, 45, 68, 109}) card.Fault(xid, kStart);
  EXPECT_TRUE(card.is_healthy()) << card.reason();
}

TEST(CardHealth, APassingFaultIsForgivenAfterAWhileOfQuiet) {
  CardHealth card;
  card.Fault(74, kStart);
  EXPECT_EQ(card.reason(), "XID 74");
  card.Answered(true, kStart + kQuietNs - 1);
  EXPECT_FALSE(card.is_healthy());
  card.Fault(74, kStart + kQuietNs - 1);
  card.Answered(true, kStart + kQuietNs);
  EXPECT_FALSE(card.is_healthy()) << "it was not quiet";
  card.Answered(true, kStart + 2 * kQuietNs);
  EXPECT_TRUE(card.is_healthy());
}

TEST(CardHealth, WhatOnlyAResetMendsStaysUntilThere) {
  CardHealth card;
  card.Fault(48, kStart);
  card.Answered(true, kStart + 100 * kQuietNs);
  EXPECT_EQ(card.reason(), "XID 48: to be reset");
  card.Answered(false, kStart + 101 * kQuietNs);
  EXPECT_EQ(card.reason(), "it does not answer");
  card.Answered(true, kStart + 101 * kQuietNs + 1);
  EXPECT_FALSE(card.is_healthy());
  card.Answered(true, kStart + 102 * kQuietNs);
  EXPECT_TRUE(card.is_healthy());
}

TEST(CardHealth, WhoSaysThatItWasResetIsBelievedAfterAWhileOfQuiet) {
  CardHealth card;
  card.WasReset(kStart);
  EXPECT_TRUE(card.is_healthy()) << "nothing was wrong";
  card.Fault(64, kStart);
  EXPECT_EQ(card.awaits_reset(), 64u);
  card.WasReset(kStart + 1);
  EXPECT_EQ(card.awaits_reset(), std::nullopt);
  card.Answered(true, kStart + kQuietNs);
  EXPECT_FALSE(card.is_healthy());
  card.Answered(true, kStart + 1 + kQuietNs);
  EXPECT_TRUE(card.is_healthy());
}

TEST(CardHealth, WhoHangsIsForgivenAfterAWhileOfAnswers) {
  CardHealth card;
  card.Hung(kStart);
  EXPECT_EQ(card.reason(), "it does not answer: the driver hangs");
  card.Answered(true, kStart + kQuietNs - 1);
  EXPECT_FALSE(card.is_healthy());
  card.Answered(true, kStart + kQuietNs);
  EXPECT_TRUE(card.is_healthy());
}

TEST(CardHealth, WhoHangsWasNotReset) {
  CardHealth card;
  card.Fault(119, kStart);
  card.Hung(kStart);
  EXPECT_EQ(card.awaits_reset(), 119u);
  card.Answered(true, kStart + 100 * kQuietNs);
  EXPECT_EQ(card.reason(), "XID 119: to be reset");
}

TEST(CardHealth, UnknownXidsAreTakenForPassingFaults) {
  EXPECT_EQ(ClassOfXid(100'000), XidClass::kPassing);
  EXPECT_EQ(ClassOfXid(79), XidClass::kTillReset);
}

}  // namespace
}  // namespace warpshare::health

#include "node/local/handover_news.h"

#include <gtest/gtest.h>

namespace warpshare::node {
namespace {

using Lines = std::vector<std::string>;

const GpuUuid kCard = *ParseGpuUuid("GPU-01234567-89ab-cdef-0123-456789abcdef");

TEST(HandoverNews, SaysNothingOfCardsWhoseTurnsAreAsUsual) {
  HandoverNews news;
  EXPECT_EQ(news.Of({}), Lines{});
  EXPECT_EQ(news.Of({{kCard, 30'000}}), Lines{});
}

TEST(HandoverNews, SaysOnceWhatMakesTurnsLongerAndAgainWhenItChangesMuch) {
  HandoverNews news;
  const std::string loses = kCard.ShortText() + " loses ";
  const std::string turns = " us when it goes from one tenant to another: turns of two are ";
  EXPECT_EQ(news.Of({{kCard, 120'000}}), Lines{loses + "120" + turns + "7.5 ms"});
  EXPECT_EQ(news.Of({{kCard, 150'000}}), Lines{});
  EXPECT_EQ(news.Of({{kCard, 90'000}}), Lines{});
  EXPECT_EQ(news.Of({{kCard, 250'000}}), Lines{loses + "250" + turns + "12.0 ms"});
  EXPECT_EQ(news.Of({{kCard, 20'000}}), Lines{loses + "20" + turns + "2.5 ms"});
  EXPECT_EQ(news.Of({{kCard, 10'000}}), Lines{});
}

TEST(HandoverNews, BeginsAnewForACardThatNobodySharedMeanwhile) {
  HandoverNews news;
  EXPECT_EQ(news.Of({{kCard, 120'000}}).size(), 1u);
  EXPECT_EQ(news.Of({}), Lines{});
  EXPECT_EQ(news.Of({{kCard, 120'000}}).size(), 1u);
}

}  // namespace
}  // namespace warpshare::node

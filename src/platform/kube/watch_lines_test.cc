#include "platform/kube/watch_lines.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpshare::kube {
namespace {

TEST(WatchLines, AreTheSameHoweverTheStreamIsCut) {
  const std::string text = "one\n\ntwo\nthree\nrest";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    std::vector<std::string> lines;
    const auto keep = [&](std::string_view line) {
      lines.emplace_back(line);
      return true;
    };
    WatchLines watch(100);
    EXPECT_TRUE(watch.Feed(text.substr(0, cut), keep));
    EXPECT_TRUE(watch.Feed(text.substr(cut), keep));
    EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", "three"})) << cut;
  }
}

TEST(WatchLines, EndWhenWhoTakesThemSaysSo) {
  int lines = 0;
  WatchLines watch(100);
  EXPECT_FALSE(watch.Feed("a\nb\nc\n", [&](auto) { return ++lines < 2; }));
  EXPECT_FALSE(watch.Feed("d\n", [&](auto) { return ++lines < 100; }));
  EXPECT_EQ(lines, 2);
}

TEST(WatchLines, EndAtALineThatIsTooLong) {
  const auto any = [](auto) { return true; };
  EXPECT_TRUE(WatchLines(4).Feed("1234\n123", any));
  EXPECT_FALSE(WatchLines(4).Feed("12345\n", any));
  EXPECT_FALSE(WatchLines(4).Feed("12345", any));
}

}  // namespace
}  // namespace warpshare::kube

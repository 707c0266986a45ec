#include "platform/log_file/log_words.h"

#include <gtest/gtest.h>

namespace warpshare::platform {
namespace {

TEST(LogText, IsWordsThatCanBeReadBack) {
  EXPECT_EQ(LogText("bound", {{"pod", "default/p"}, {"cards", 2}, {"bytes", uint64_t{5} << 40}}),
            "bound pod=default/p cards=2 bytes=5497558138880");
  EXPECT_EQ(LogText("failed", {{"error", Error{Errc::kNotFound, "p: not found"}}}),
            "failed error=\"p: not found\"");
  EXPECT_EQ(LogText("empty", {{"name", ""}}), "empty name=\"\"");
}

TEST(LogText, TakesNoLinesAndWordsFromInsideAValue) {
  EXPECT_EQ(LogText("x", {{"a", "1\n2026 error made=up"}, {"b", "say \"no\" \\ \x1b[2J"}}),
            R"(x a="1\x0a2026 error made=up" b="say \"no\" \\ \x1b[2J")");
}

}  // namespace
}  // namespace warpshare::platform

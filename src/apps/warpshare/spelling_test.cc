#include "apps/warpshare/spelling.h"

#include <gtest/gtest.h>

namespace warpshare::app {
namespace {

using Words = std::vector<std::string>;

const Words kOptions = {"--help", "--gpu",    "--memory",   "--cores",
                        "--name", "--policy", "--priority", "--preload"};

TEST(NearestWord, IsASlipOrTwoAway) {
  for (const char* slip : {"--memroy", "--memry", "--memmory", "--mamory", "-memory", "--menroy"})
    EXPECT_EQ(NearestWord(slip, kOptions), "--memory") << slip;
  EXPECT_EQ(NearestWord("--gpus", kOptions), "--gpu");
  EXPECT_EQ(NearestWord("rnu", Words({"ps", "run", "top"})), "run");
}

TEST(NearestWord, IsTheOnlyOneThatBeginsSo) {
  EXPECT_EQ(NearestWord("--mem", kOptions), "--memory");
  EXPECT_EQ(NearestWord("--po", kOptions), "--policy");
  EXPECT_EQ(NearestWord("--pr", kOptions), std::nullopt) << "two begin so";
}

TEST(NearestWord, IsNoneWhereNothingIsNear) {
  for (const char* far :
       {"--fly", "", "-", "--", "-x", "--memory-of-the-card-in-all-its-parts-there-are"})
    EXPECT_EQ(NearestWord(far, kOptions), std::nullopt) << far;
  EXPECT_EQ(NearestWord("rnu", {}), std::nullopt);
}

}  // namespace
}  // namespace warpshare::app

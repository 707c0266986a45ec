#include "policy/request/assignment.h"

#include <gtest/gtest.h>

namespace warpshare::request {
namespace {

constexpr char kFirst[] = "GPU-00000000-0000-0000-0000-000000000001";
constexpr char kSecond[] = "GPU-00000000-0000-0000-0000-000000000002";

GpuUuid Uuid(const char* text) { return *ParseGpuUuid(text); }

const Assignment kTwoContainers{
    .node = "node-a",
    .containers = {{.container = "main",
                    .cards = {{.uuid = Uuid(kFirst),
                               .memory = 4_GiB,
                               .cores_percent = 30,
                               .compute = {.mode = share::Mode::kHard}},
                              {.uuid = Uuid(kSecond),
                               .memory = 4_GiB,
                               .cores_percent = 30,
                               .compute = {.mode = share::Mode::kSoft, .weight = 3}}}},
                   {.container = "side",
                    .cards = {{.uuid = Uuid(kFirst),
                               .memory = 1536_MiB,
                               .compute = {.mode = share::Mode::kPriority,
                                           .priority = share::Priority::kHigh}}}}}};

std::string OneCard(std::string_view card) { return "v1;n;c=" + std::string(card); }

TEST(Assignment, ItsTextNamesEachContainersCards) {
  EXPECT_EQ(Encode(kTwoContainers),
            "v1;node-a;"
            "main=GPU-00000000-0000-0000-0000-000000000001:4GiB:30:hard"
            "+GPU-00000000-0000-0000-0000-000000000002:4GiB:30:soft:3;"
            "side=GPU-00000000-0000-0000-0000-000000000001:1536MiB:0:high");
}

TEST(Assignment, ComesBackFromItsText) {
  const auto decoded = DecodeAssignment(Encode(kTwoContainers));
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(*decoded, kTwoContainers);
}

TEST(Assignment, AWholeCardIsNotHeldBack) {
  const auto decoded =
      DecodeAssignment(OneCard("GPU-00000000-0000-0000-0000-000000000001:80GiB:100:whole"));
  ASSERT_TRUE(decoded) << decoded.error().message;
  const CardGrant& card = decoded->containers[0].cards[0];
  EXPECT_TRUE(card.whole);
  EXPECT_EQ(TermsOf(card), (share::Terms{.mode = share::Mode::kWeighted}));
}

TEST(Assignment, CoresBecomeAShareOfTheCardsTime) {
  EXPECT_EQ(TermsOf(kTwoContainers.containers[0].cards[0]),
            (share::Terms{.mode = share::Mode::kHard, .share_permille = 300}));
}

TEST(Assignment, AContainerIsFoundByItsName) {
  EXPECT_EQ(kTwoContainers.Find("side"), &kTwoContainers.containers[1]);
  EXPECT_EQ(kTwoContainers.Find("sid"), nullptr);
}

TEST(Assignment, ATextThatNobodyWroteIsRefused) {
  const std::string uuid = kFirst;
  const std::string table[] = {
      "",
      "v1",
      "v1;",
      "v1;Node",
      "v2;n",
      "v1;n;",
      "v1;n;c",
      "v1;n;c=",
      "v1;n;=" + uuid + ":1GiB:0:weighted",
      OneCard(uuid),
      OneCard(uuid + ":1GiB:0"),
      OneCard(uuid + ":1GiB:0:"),
      OneCard(uuid + ":1GiB:0:priority"),
      OneCard(uuid + ":1GiB:0:hard"),
      OneCard(uuid + ":1GiB:101:hard"),
      OneCard(uuid + ":1GiB:-1:hard"),
      OneCard(uuid + ":1GiB:30:whole"),
      OneCard(uuid + ":1GiB:100:whole:2"),
      OneCard(uuid + ":0B:0:weighted"),
      OneCard(uuid + ":1024MiB:0:weighted"),
      OneCard(uuid + ":1GiB:00:weighted"),
      OneCard(uuid + ":1GiB:0:weighted:1"),
      OneCard(uuid + ":1GiB:0:weighted:17"),
      OneCard(uuid + ":1GiB:0:weighted:2:3"),
      OneCard(uuid + ":1GiB:0:weighted+"),
      OneCard(uuid + ":1GiB:0:weighted+" + uuid + ":1GiB:0:weighted"),
      OneCard(uuid + ":1GiB:0:weighted") + ";c=" + uuid + ":1GiB:0:weighted",
      OneCard("GPU-0:1GiB:0:weighted"),
      OneCard("GPU-0000000A-0000-0000-0000-000000000001:1GiB:0:weighted"),
      OneCard(uuid + ":1GiB:0:weighted") + std::string(kMaxAssignmentBytes, ' '),
  };
  for (const std::string& text : table) {
    const auto decoded = DecodeAssignment(text);
    ASSERT_FALSE(decoded) << text;
    EXPECT_TRUE(decoded.error().message.starts_with("assignment:")) << decoded.error().message;
  }
}

}  // namespace
}  // namespace warpshare::request

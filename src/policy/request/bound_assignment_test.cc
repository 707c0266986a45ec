#include "policy/request/bound_assignment.h"

#include <gtest/gtest.h>

namespace warpshare::request {
namespace {

constexpr char kUuid[] = "GPU-00000000-0000-0000-0000-000000000001";

std::string Text(const std::string& card, const std::string& node = "n1") {
  return "v1;" + node + ";main=" + kUuid + ":" + card;
}

Request Asks(uint32_t cards, bool whole = false) {
  Request request;
  request.containers = {{.name = "main", .cards = cards, .whole = whole, .compute = {}}};
  return request;
}

bool IsBelieved(const std::string& text, const Request& request) {
  return ReadBoundAssignment(text, request, "n1").has_value();
}

TEST(BoundAssignment, CountsWhateverItsAmountsAre) {
  EXPECT_TRUE(IsBelieved(Text("4GiB:0:weighted"), Asks(1)));
  EXPECT_TRUE(IsBelieved(Text("40GiB:30:hard"), Asks(1)));
  EXPECT_FALSE(IsBelieved(Text("16777215TiB:0:weighted"), Asks(1))) << "no card is so large";
}

TEST(BoundAssignment, CountsOnlyOnTheNodeThatThePodIsOn) {
  EXPECT_FALSE(IsBelieved(Text("4GiB:0:weighted", "n2"), Asks(1)));
}

TEST(BoundAssignment, CountsOnlyForTheCardsThatTheSpecAsksFor) {
  EXPECT_FALSE(IsBelieved(Text("40GiB:100:whole"), Asks(0))) << "it asks for none";
  EXPECT_FALSE(IsBelieved(Text("40GiB:100:whole"), Asks(1))) << "it asks for a part";
  EXPECT_FALSE(IsBelieved(Text("4GiB:0:weighted"), Asks(2)));
  EXPECT_FALSE(IsBelieved("v1;n1", Asks(1)));
  EXPECT_FALSE(IsBelieved("nonsense", Asks(1)));
}

}  // namespace
}  // namespace warpshare::request

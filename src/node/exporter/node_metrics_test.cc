#include "node/exporter/node_metrics.h"

#include <gtest/gtest.h>

namespace warpshare::node {
namespace {

const GpuUuid kCard({0x5d, 0x2b, 0xf5, 0xa3});

CardState Card() {
  return {.card = {.index = 0,
                   .uuid = kCard,
                   .name = "SimGPU-A100",
                   .total = Bytes(1000),
                   .used = Bytes(100)},
          .is_healthy = true,
          .used = Bytes(700)};
}

TenantReport Tenant(const std::string& name, std::optional<Bytes> limit) {
  CardReport card{};
  card.uuid = kCard;
  card.limit = limit;
  card.used = Bytes(50);
  card.refusals = 3;
  return {.name = name, .cards = {card}, .processes = {}, .problem = {}};
}

bool HasLine(const std::string& text, const std::string& line) {
  return ('\n' + text).find('\n' + line + '\n') != std::string::npos;
}

std::string TextOf(const NodeReading& reading) { return PageOf(reading, TenantTotals()).Text(); }

const std::string kCardLabels = "{node=\"n1\",card=\"" + kCard.Text() + "\",model=\"SimGPU-A100\"}";

// The tenants of a pod are not added up: its part is what it holds.
TEST(NodeMetrics, AddUpWhatPodsHoldAndWhatOthersWereGivenOfACard) {
  const std::string text =
      TextOf({.node = "n1",
              .cards = {Card()},
              .tenants = {Tenant("a", Bytes(200)), Tenant("c-1", Bytes(300))},
              .pods = {{}, {.name_space = "team", .pod = "train", .container = "prepare"}},
              .held = {{{kCard, {.memory = Bytes(400), .cores_percent = 60}}}}});
  EXPECT_TRUE(HasLine(text, "warpshare_card_memory_allocated_bytes" + kCardLabels + " 600"))
      << text;
  EXPECT_TRUE(HasLine(text, "warpshare_card_compute_allocated_ratio" + kCardLabels + " 0.6"))
      << text;
  EXPECT_TRUE(HasLine(text, "warpshare_card_tenants" + kCardLabels + " 2")) << text;
}

TEST(NodeMetrics, TellWhoHasACardOfAnotherPlugin) {
  NodeReading reading{.node = "n1", .cards = {Card()}, .tenants = {}, .pods = {}};
  EXPECT_TRUE(HasLine(TextOf(reading), "warpshare_card_taken" + kCardLabels + " 0"));
  reading.taken = {{.uuid = kCard, .memory = Bytes(1000), .pods = {"a/b", "a/c"}}};
  EXPECT_TRUE(HasLine(TextOf(reading), "warpshare_card_taken" + kCardLabels + " 2"));
}

TEST(NodeMetrics, DoNotSayWhatIsGivenAwayBeforeThePodsAreKnown) {
  const std::string text = TextOf({.node = "n1", .cards = {Card()}, .tenants = {}, .pods = {}});
  EXPECT_EQ(text.find("warpshare_card_memory_allocated_bytes{"), std::string::npos) << text;
  EXPECT_TRUE(HasLine(text, "warpshare_card_tenants" + kCardLabels + " 0")) << text;
}

TEST(NodeMetrics, CountTheWholeCardForATenantWithoutALimit) {
  const std::string text = TextOf({.node = "n1",
                                   .cards = {Card()},
                                   .tenants = {Tenant("a", {})},
                                   .pods = {{}},
                                   .held = HeldParts{}});
  EXPECT_TRUE(HasLine(text, "warpshare_card_memory_allocated_bytes" + kCardLabels + " 1000"))
      << text;
  EXPECT_EQ(text.find("warpshare_tenant_memory_limit_bytes"), std::string::npos);
}

TEST(NodeMetrics, NameThePodOfATenant) {
  const std::string text =
      TextOf({.node = "n1",
              .cards = {},
              .tenants = {Tenant("c-1", Bytes(200))},
              .pods = {{.name_space = "team", .pod = "train", .container = "main"}}});
  EXPECT_TRUE(HasLine(
      text,
      "warpshare_tenant_memory_refusals_total{node=\"n1\",tenant=\"c-1\",namespace=\"team\","
      "pod=\"train\",container=\"main\",card=\"" +
          kCard.Text() + "\"} 3"))
      << text;
}

TEST(NodeMetrics, CountContainersThatStartedAndThatWereRefused) {
  const std::string text = TextOf({.node = "n1",
                                   .cards = {},
                                   .tenants = {},
                                   .pods = {},
                                   .starts = {.started = 5, .refused = 2}});
  const std::string metric = "warpshare_node_container_starts_total{node=\"n1\",outcome=";
  EXPECT_TRUE(HasLine(text, metric + "\"started\"} 5")) << text;
  EXPECT_TRUE(HasLine(text, metric + "\"refused\"} 2")) << text;
}

TEST(NodeMetrics, LeaveOutWhatACardThatDoesNotAnswerOnceHadInUse) {
  NodeReading reading{.node = "n1", .cards = {Card()}, .tenants = {}, .pods = {}};
  EXPECT_TRUE(HasLine(TextOf(reading), "warpshare_card_memory_used_bytes" + kCardLabels + " 700"));
  reading.cards[0].used.reset();
  const std::string text = TextOf(reading);
  EXPECT_EQ(text.find("warpshare_card_memory_used_bytes{"), std::string::npos) << text;
}

TEST(NodeMetrics, SaySoWhenACardIsNotWell) {
  CardState card = Card();
  card.is_healthy = false;
  const std::string text = TextOf({.node = "n1", .cards = {card}, .tenants = {}, .pods = {}});
  EXPECT_TRUE(HasLine(text, "warpshare_card_healthy" + kCardLabels + " 0")) << text;
}

}  // namespace
}  // namespace warpshare::node

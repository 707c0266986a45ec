#include "simgpu/world/scenario.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "simgpu/world/scenario/card_keys.h"
#include "simgpu/world/scenario/quantity.h"

namespace simgpu::world {
namespace {

TEST(Scenario, IsTwoCardsOf40GiBWhenNothingIsAskedFor) {
  const ScenarioResult result = LoadScenario({}, "seed");
  ASSERT_TRUE(result.ok()) << result.error;
  ASSERT_EQ(result.scenario.cards.size(), 2u);
  EXPECT_EQ(result.scenario.cards[0].name, "SimGPU-A100");
  EXPECT_EQ(result.scenario.cards[0].memory_bytes, 40 * kGiB);
  EXPECT_EQ(result.scenario.cards[1].context_bytes, 300 * kMiB);
  EXPECT_NE(result.scenario.cards[0].uuid, result.scenario.cards[1].uuid);
  EXPECT_EQ(PciText(result.scenario.cards[1].pci), "00000000:0f:00.0");
}

TEST(Scenario, GivesTheSameIdentitiesForTheSameSeed) {
  EXPECT_EQ(LoadScenario({}, "a").scenario.cards[0].uuid,
            LoadScenario({}, "a").scenario.cards[0].uuid);
  EXPECT_NE(LoadScenario({}, "a").scenario.cards[0].uuid,
            LoadScenario({}, "b").scenario.cards[0].uuid);
}

TEST(Scenario, ReadsDefaultsSectionsAndLinks) {
  const ScenarioResult result = ParseScenario(R"(
    # three cards, one of them different
    cards = 3
    name = H100   # of all
    memory = 80GiB
    sm_count = 132
    [card 1]
    name = L4
    memory = 24GiB
    uuid = GPU-00112233-4455-6677-8899-aabbccddeeff
    pci = 0000:41:00.0
    numa_node = none
    process_memory = hidden
    utilization_pids = host
    xid = 79 after 1500ms
    xid = 31 after 2s
    [links]
    0-2 = NV12
    2-1 = PIX
  )",
                                              "my.scenario");
  ASSERT_TRUE(result.ok()) << result.error;
  const Scenario& scenario = result.scenario;
  EXPECT_EQ(scenario.cards[2].name, "H100");
  EXPECT_EQ(scenario.cards[2].sm_count, 132u);
  EXPECT_EQ(scenario.cards[1].name, "L4");
  EXPECT_EQ(scenario.cards[1].numa_node, -1);
  EXPECT_EQ(scenario.cards[1].process_memory, ProcessMemory::kHidden);
  EXPECT_EQ(scenario.cards[1].utilization_pids, UtilizationPids::kHost);
  EXPECT_EQ(scenario.cards[2].process_memory, ProcessMemory::kReported);
  EXPECT_EQ(UuidText(scenario.cards[1].uuid), "GPU-00112233-4455-6677-8899-aabbccddeeff");
  ASSERT_EQ(scenario.cards[1].xids.size(), 2u);
  EXPECT_EQ(scenario.cards[1].xids[0].xid, 79u);
  EXPECT_EQ(scenario.cards[1].xids[1].after_ns, 2'000'000'000u);
  EXPECT_EQ(scenario.LinkBetween(2, 0).kind, LinkKind::kNvlink);
  EXPECT_EQ(scenario.LinkBetween(2, 0).lanes, 12u);
  EXPECT_EQ(scenario.LinkBetween(1, 2).kind, LinkKind::kPix);
}

TEST(Scenario, IsReadBackFromItsText) {
  ScenarioResult first = LoadScenario({.cards = "5", .memory = "123456789B"}, "seed");
  ASSERT_TRUE(first.ok()) << first.error;
  first.scenario.cards[2].process_memory = ProcessMemory::kUnknown;
  first.scenario.cards[3].xids.push_back({48, 1'234'567});
  first.scenario.links[1 * 5 + 4] = {LinkKind::kNvlink, 4};
  const std::string text = PrintScenario(first.scenario);
  const ScenarioResult second = ParseScenario(text, "text");
  ASSERT_TRUE(second.ok()) << second.error;
  EXPECT_EQ(PrintScenario(second.scenario), text);
  EXPECT_EQ(second.scenario.cards[4].memory_bytes, 123'456'789u);
  EXPECT_EQ(second.scenario.cards[2].process_memory, ProcessMemory::kUnknown);
  EXPECT_EQ(second.scenario.LinkBetween(4, 1).lanes, 4u);
}

TEST(Scenario, LetsVariablesOverrideTheDefaults) {
  const ScenarioResult result = LoadScenario({.cards = "1",
                                              .memory = "8GiB",
                                              .name = "Tiny",
                                              .sm_count = "16",
                                              .context = "64MiB",
                                              .module = "1MiB",
                                              .slice = "500us",
                                              .kernel = "20us"},
                                             "seed");
  ASSERT_TRUE(result.ok()) << result.error;
  const CardSpec& card = result.scenario.cards.at(0);
  EXPECT_EQ(card.memory_bytes, 8 * kGiB);
  EXPECT_EQ(card.name, "Tiny");
  EXPECT_EQ(card.sm_count, 16u);
  EXPECT_EQ(card.context_bytes, 64 * kMiB);
  EXPECT_EQ(card.module_bytes, kMiB);
  EXPECT_EQ(card.slice_ns, 500'000u);
  EXPECT_EQ(card.kernel_ns, 20'000u);
}

TEST(Scenario, CanBeAMachineWithoutCards) {
  const ScenarioResult result = LoadScenario({.cards = "0"}, "seed");
  ASSERT_TRUE(result.ok()) << result.error;
  EXPECT_TRUE(result.scenario.cards.empty());
}

struct WrongText {
  const char* text;
  const char* error;
};

TEST(Scenario, SaysWhereAndWhatIsWrong) {
  const WrongText cases[] = {
      {"memory = 40Gig", "f:1: memory: \"40Gig\" is not an amount of memory, such as 40GiB"},
      {"\nmemry = 40GiB", "f:2: memry: no such key here"},
      {"memory", "f:1: \"memory\" is not \"key = value\""},
      {"[card x]", "f:1: \"[card x]\" is not a section"},
      {"[card 32]", "f:1: \"[card 32]\" is not a section: [card 0] to [card 31]"},
      {"cards = 1\n[card 2]", "f: cards = 1, but there is a [card 2]"},
      {"[links]\n0-5 = NV4", "f: [links] names card 5, but there are only 2"},
      {"[links]\n0-1 = NV99", "f:2: 0-1: \"NV99\" is not a link: NV1 to NV18"},
      {"[links]\n3-3 = SYS", "f:2: 3-3: a link is between two cards"},
      {"xid = 79", "f:1: xid: \"79\" is not a fault, such as 79 after 1500ms"},
      {"slice = 1us", "f:1: slice: a slice lasts 50us to 10s"},
      {"switch_cost = 11ms", "f:1: switch_cost: a switch between processes costs 0ns to 10ms"},
      {"event_cost = 2ms", "f:1: event_cost: an event costs 0ns to 1ms, not 2ms"},
      {"sm_count = 0", "f:1: sm_count: 0 is not between 1 and"},
      {"uuid = GPU-12", "f:1: uuid: \"GPU-12\" is not a uuid"},
      {"pci = 07:00", "f:1: pci: \"07:00\" is not a PCI address, such as 0000:07:00.0"},
      {"compute_capability = eight", "f:1: compute_capability: \"eight\" is not"},
      {"process_memory = some", "f:1: process_memory: \"some\" is not reported, hidden or unknown"},
      {"utilization_pids = 0", "f:1: utilization_pids: \"0\" is not container or host"},
      {"host_to_device = 25GB", "f:1: host_to_device: \"25GB\" is not a bandwidth"},
      {"memory = 99999999999999999999GiB", "f:1: memory: "},
  };
  for (const WrongText& wrong : cases) {
    const ScenarioResult result = ParseScenario(wrong.text, "f");
    EXPECT_EQ(result.error.substr(0, std::string(wrong.error).size()), wrong.error) << wrong.text;
  }
}

TEST(Scenario, NamesTheVariableThatIsWrong) {
  EXPECT_EQ(LoadScenario({.memory = "lots"}, "").error.substr(0, 20), "SIMGPU_MEMORY=lots: ");
  EXPECT_EQ(LoadScenario({.cards = "many"}, "").error,
            "SIMGPU_CARDS=many: a number of cards, 0 to 32");
  EXPECT_EQ(LoadScenario({.file = "/nowhere/x"}, "").error,
            "SIMGPU_SCENARIO=/nowhere/x: cannot be read");
  EXPECT_EQ(LoadScenario({.file = "/"}, "").error, "SIMGPU_SCENARIO=/: cannot be read");
}

TEST(Scenario, ReadsEveryExampleFile) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SIMGPU_SCENARIOS)) {
    if (entry.path().extension() != ".scenario") continue;
    const ScenarioResult result = LoadScenario({.file = entry.path()}, "seed");
    EXPECT_TRUE(result.ok()) << result.error;
    EXPECT_FALSE(result.scenario.cards.empty()) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 6);
}

TEST(Scenario, HasEveryKeyInTheDocumentation) {
  std::ifstream file(SIMGPU_DOCUMENTATION);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(text.empty());
  for (const CardKey& key : CardKeys()) {
    EXPECT_NE(text.find("`" + std::string(key.name) + "`"), std::string::npos) << key.name;
  }
}

TEST(Scenario, RefusesTwoCardsWithOneIdentity) {
  const std::string path = ::testing::TempDir() + "/twins." + std::to_string(getpid());
  std::ofstream(path) << "uuid = GPU-00112233-4455-6677-8899-aabbccddeeff\n";
  EXPECT_EQ(LoadScenario({.file = path}, "").error,
            "cards 0 and 1 have the same uuid: name it in their [card N] sections");
  std::remove(path.c_str());
}

TEST(Quantity, IsExactAndPrintsWhatItReads) {
  uint64_t value = 0;
  std::string error;
  EXPECT_TRUE(ParseBytes("1.5GiB", &value, &error));
  EXPECT_EQ(value, kGiB + kGiB / 2);
  EXPECT_TRUE(ParseDuration("0.25 ms", &value, &error));
  EXPECT_EQ(value, 250'000u);
  EXPECT_FALSE(ParseDuration("0.3ns", &value, &error));
  EXPECT_FALSE(ParseBytes("40", &value, &error));
  EXPECT_FALSE(ParseBytes("-1GiB", &value, &error));
  EXPECT_FALSE(ParseBytes(".GiB", &value, &error));
  EXPECT_FALSE(ParseRate("0B/s", &value, &error));
  for (const uint64_t bytes :
       {uint64_t{0}, uint64_t{1}, uint64_t{1023}, kMiB, 3 * kGiB, UINT64_MAX}) {
    EXPECT_TRUE(ParseBytes(PrintBytes(bytes), &value, &error)) << PrintBytes(bytes);
    EXPECT_EQ(value, bytes);
    EXPECT_TRUE(ParseDuration(PrintDuration(bytes), &value, &error));
    EXPECT_EQ(value, bytes);
  }
}

}  // namespace
}  // namespace simgpu::world

// Putting a scenario together from file, variables and made-up identities, and writing it as text.
#include "simgpu/world/scenario.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "simgpu/world/scenario/card_keys.h"
#include "simgpu/world/scenario/digest.h"
#include "simgpu/world/scenario/quantity.h"

namespace simgpu::world {
namespace {

struct Variable {
  const char* name;
  std::string_view key;
  std::string ScenarioSource::* value;
};

constexpr Variable kVariables[] = {
    {"SIMGPU_MEMORY", "memory", &ScenarioSource::memory},
    {"SIMGPU_NAME", "name", &ScenarioSource::name},
    {"SIMGPU_SM_COUNT", "sm_count", &ScenarioSource::sm_count},
    {"SIMGPU_CONTEXT_MEMORY", "context_memory", &ScenarioSource::context},
    {"SIMGPU_MODULE_MEMORY", "module_memory", &ScenarioSource::module},
    {"SIMGPU_SLICE", "slice", &ScenarioSource::slice},
    {"SIMGPU_KERNEL_DURATION", "kernel_duration", &ScenarioSource::kernel},
};

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

ScenarioResult ReadFile(const std::string& path) {
  if (path.empty()) return ParseScenario("", "");
  std::ifstream file(path);
  file.peek();  // a folder can be opened, not read
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return {{}, "SIMGPU_SCENARIO=" + path + ": cannot be read"};
  return ParseScenario(text.str(), path);
}

bool ApplyCount(const std::string& text, Scenario* scenario, std::string* error) {
  uint64_t count = 0;
  std::string problem;
  if (!ParseCount(text, &count, &problem) || count > kMaxCards) {
    *error = "SIMGPU_CARDS=" + text + ": a number of cards, 0 to " + std::to_string(kMaxCards);
    return false;
  }
  const size_t before = scenario->cards.size();
  const CardSpec pattern = before == 0 ? CardSpec{} : scenario->cards.back();
  scenario->cards.resize(count);
  for (size_t i = before; i < count; ++i) {
    scenario->cards[i] = pattern;
    scenario->cards[i].uuid = {};
    scenario->cards[i].serial.clear();
    scenario->cards[i].pci = {};
    scenario->cards[i].xids.clear();
  }
  std::vector<Link> links(count * count, Link{LinkKind::kSelf, 0});
  for (size_t a = 0; a < std::min<size_t>(before, count); ++a) {
    for (size_t b = 0; b < std::min<size_t>(before, count); ++b) {
      links[a * count + b] = scenario->links[a * before + b];
    }
  }
  scenario->links = std::move(links);
  return true;
}

bool ApplyVariables(const ScenarioSource& source, Scenario* scenario, std::string* error) {
  if (!source.cards.empty() && !ApplyCount(source.cards, scenario, error)) return false;
  for (const Variable& variable : kVariables) {
    const std::string& value = source.*variable.value;
    if (value.empty()) continue;
    for (const CardKey& key : CardKeys()) {
      if (key.name != variable.key) continue;
      CardSpec probe;  // so that a wrong value is found with no cards, too
      std::string problem;
      bool right = key.read(probe, value, &problem);
      for (CardSpec& card : scenario->cards) right = right && key.read(card, value, &problem);
      if (!right) {
        *error = std::string(variable.name) + "=" + value + ": " + problem;
        return false;
      }
    }
  }
  return true;
}

void MakeUuid(CardSpec& card, const std::string& seed) {
  for (int half = 0; half < 2; ++half) {
    const uint64_t digest = Digest(seed, static_cast<uint64_t>(half) + 1);
    for (int i = 0; i < 8; ++i) card.uuid[half * 8 + i] = static_cast<uint8_t>(digest >> (8 * i));
  }
  card.uuid[6] = (card.uuid[6] & 0x0f) | 0x40;  // the marks of a random uuid
  card.uuid[8] = (card.uuid[8] & 0x3f) | 0x80;
}

// Identities that nobody named. Cards sit on buses 7, 15, 23, ...; with more than four, half of
// them on NUMA node 1.
void FillIdentities(Scenario& scenario, std::string_view seed) {
  for (size_t i = 0; i < scenario.cards.size(); ++i) {
    CardSpec& card = scenario.cards[i];
    const std::string card_seed = std::string(seed) + "#" + std::to_string(i);
    if (card.uuid == std::array<uint8_t, 16>{}) MakeUuid(card, card_seed);
    if (card.serial.empty()) {
      card.serial = std::to_string(1'000'000'000'000 + Digest(card_seed, 3) % 899'999'999'999);
    }
    if (card.pci.bus == 0 && card.pci.device == 0) {
      card.pci = {0, static_cast<uint32_t>(7 + 8 * i), 0};
    }
    if (card.numa_node == CardSpec::kNumaNodeUnset) {
      card.numa_node = scenario.cards.size() > 4 && i >= scenario.cards.size() / 2 ? 1 : 0;
    }
  }
}

bool IdentitiesDiffer(const Scenario& scenario, std::string* error) {
  for (size_t a = 0; a < scenario.cards.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      const bool same_uuid = scenario.cards[a].uuid == scenario.cards[b].uuid;
      if (!same_uuid && PciText(scenario.cards[a].pci) != PciText(scenario.cards[b].pci)) continue;
      *error = "cards " + std::to_string(b) + " and " + std::to_string(a) + " have the same " +
               (same_uuid ? "uuid" : "pci address") + ": name it in their [card N] sections";
      return false;
    }
  }
  return true;
}

}  // namespace

ScenarioSource ScenarioSource::FromEnvironment() {
  ScenarioSource source;
  source.file = Environment("SIMGPU_SCENARIO");
  source.cards = Environment("SIMGPU_CARDS");
  for (const Variable& variable : kVariables) source.*variable.value = Environment(variable.name);
  return source;
}

bool ScenarioSource::empty() const {
  bool none = file.empty() && cards.empty();
  for (const Variable& variable : kVariables) none = none && (this->*variable.value).empty();
  return none;
}

ScenarioResult LoadScenario(const ScenarioSource& source, std::string_view seed) {
  ScenarioResult result = ReadFile(source.file);
  if (!result.ok()) return result;
  if (!ApplyVariables(source, &result.scenario, &result.error)) return result;
  FillIdentities(result.scenario, seed);
  IdentitiesDiffer(result.scenario, &result.error);
  return result;
}

Link Scenario::LinkBetween(int a, int b) const {
  if (a == b) return {LinkKind::kSelf, 0};
  const Link named = links[static_cast<size_t>(a) * cards.size() + static_cast<size_t>(b)];
  if (named.kind != LinkKind::kSelf) return named;
  return {cards[a].numa_node == cards[b].numa_node ? LinkKind::kNode : LinkKind::kSys, 0};
}

std::string PrintScenario(const Scenario& scenario) {
  const size_t count = scenario.cards.size();
  std::ostringstream text;
  text << "driver_version = " << scenario.driver_version << "\ncards = " << count << "\n";
  for (size_t i = 0; i < count; ++i) {
    text << "\n[card " << i << "]\n";
    for (const CardKey& key : CardKeys()) {
      const std::string value = key.write(scenario.cards[i]);
      if (!value.empty()) text << key.name << " = " << value << "\n";
    }
    for (const ScheduledXid& xid : scenario.cards[i].xids) {
      text << "xid = " << xid.xid << " after " << PrintDuration(xid.after_ns) << "\n";
    }
  }
  if (count > 0) text << "\n[links]\n";
  for (size_t a = 0; a < count; ++a) {
    for (size_t b = a + 1; b < count; ++b) {
      const Link link = scenario.links[a * count + b];
      if (link.kind != LinkKind::kSelf) text << a << "-" << b << " = " << WriteLink(link) << "\n";
    }
  }
  return text.str();
}

std::string UuidText(const std::array<uint8_t, 16>& uuid) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "GPU-";
  for (size_t i = 0; i < uuid.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kDigits[uuid[i] >> 4];
    text += kDigits[uuid[i] & 15];
  }
  return text;
}

std::string PciText(const PciAddress& pci) {
  char text[24];
  std::snprintf(text, sizeof(text), "%08x:%02x:%02x.0", pci.domain, pci.bus, pci.device);
  return text;
}

}  // namespace simgpu::world

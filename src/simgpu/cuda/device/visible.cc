#include "simgpu/cuda/device/visible.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <tuple>

#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

using world::CardSpec;
using world::World;

constexpr std::string_view kUuidPrefix = "GPU-";

// The leading digits of an entry, as the driver reads it ("1x" is 1); -1 when there are none.
int LeadingNumber(std::string_view entry) {
  const size_t start = entry.find_first_not_of(" \t");
  if (start == std::string_view::npos) return -1;
  entry.remove_prefix(start);
  if (entry.starts_with('+')) entry.remove_prefix(1);
  int number = -1;
  for (const char letter : entry) {
    if (letter < '0' || letter > '9' || number > 100'000) break;
    number = (number < 0 ? 0 : number * 10) + (letter - '0');
  }
  return number;
}

// The one card whose UUID begins with `prefix`; -1 when none or several do.
int CardByUuid(std::string_view prefix, const std::vector<CardSpec>& cards) {
  int found = -1;
  for (size_t card = 0; card < cards.size(); ++card) {
    if (!world::UuidText(cards[card].uuid).starts_with(prefix)) continue;
    if (found >= 0) return -1;
    found = static_cast<int>(card);
  }
  return found;
}

// In the order CUDA_DEVICE_ORDER asks for; without it, the scenario's.
std::vector<int> Ordered(const std::vector<CardSpec>& cards) {
  std::vector<int> order(cards.size());
  std::iota(order.begin(), order.end(), 0);
  const char* wanted = std::getenv("CUDA_DEVICE_ORDER");
  if (wanted == nullptr || std::string_view(wanted) != "PCI_BUS_ID") return order;
  std::sort(order.begin(), order.end(), [&cards](int a, int b) {
    const world::PciAddress& left = cards[a].pci;
    const world::PciAddress& right = cards[b].pci;
    return std::tie(left.domain, left.bus, left.device, a) <
           std::tie(right.domain, right.bus, right.device, b);
  });
  return order;
}

std::vector<int> ReadEnvironment() {
  World& world = World::Instance();
  if (!world.ok()) return {};
  const std::vector<CardSpec>& cards = world.scenario().cards;
  const std::vector<int> order = Ordered(cards);
  const char* text = std::getenv("CUDA_VISIBLE_DEVICES");
  if (text == nullptr) return order;
  std::vector<CardSpec> ordered;
  for (const int card : order) ordered.push_back(cards[card]);
  std::vector<int> visible = ParseVisibleDevices(text, ordered);
  for (int& card : visible) card = order[card];
  return visible;
}

}  // namespace

std::vector<int> ParseVisibleDevices(std::string_view text, const std::vector<CardSpec>& cards) {
  const bool by_uuid = text.starts_with(kUuidPrefix);
  std::vector<int> visible;
  while (true) {
    const size_t comma = text.find(',');
    const std::string_view entry = text.substr(0, comma);
    const int card = by_uuid ? (entry.starts_with(kUuidPrefix) ? CardByUuid(entry, cards) : -1)
                             : LeadingNumber(entry);
    if (card < 0 || card >= static_cast<int>(cards.size())) return visible;
    if (std::find(visible.begin(), visible.end(), card) != visible.end()) return {};
    visible.push_back(card);
    if (comma == std::string_view::npos) return visible;
    text.remove_prefix(comma + 1);
  }
}

const std::vector<int>& VisibleCards() {
  static const auto* const cards = new std::vector<int>(ReadEnvironment());
  return *cards;
}

CUresult CardOf(CUdevice device, int* card) {
  SIMGPU_TRY(Ready());
  const std::vector<int>& visible = VisibleCards();
  SIMGPU_REQUIRE(device >= 0 && device < static_cast<int>(visible.size()),
                 CUDA_ERROR_INVALID_DEVICE);
  *card = visible[device];
  return CUDA_SUCCESS;
}

CUdevice DeviceOf(int card) {
  const std::vector<int>& visible = VisibleCards();
  const auto found = std::find(visible.begin(), visible.end(), card);
  return found == visible.end() ? CU_DEVICE_INVALID
                                : static_cast<CUdevice>(found - visible.begin());
}

const CardSpec& SpecOf(int card) { return World::Instance().card(card); }

}  // namespace simgpu::cuda

#include "platform/region_file/limits_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "abi/region/limits_page.h"
#include "platform/descriptor/descriptor.h"
#include "platform/region_file/limits_mapping.h"

namespace warpshare::platform {

namespace {

using abi::LimitsPageV1;

uint64_t Word(std::optional<Bytes> memory) { return memory ? memory->count() : abi::kNoLimit; }

std::optional<Bytes> FromWord(uint64_t word) {
  if (word == abi::kNoLimit) return std::nullopt;
  return Bytes(word);
}

// Readers may meet old words beside new ones. The mode comes last, so that whoever sees a new mode
// (acquire) sees what goes with it.
void Store(abi::ComputeTermsV1& page, const ComputeTerms& terms) {
  page.share_permille.store(terms.share_permille, std::memory_order_relaxed);
  page.weight.store(terms.weight, std::memory_order_relaxed);
  page.is_high.store(terms.is_high ? 1 : 0, std::memory_order_relaxed);
  page.burst_ns.store(terms.burst_ns, std::memory_order_relaxed);
  page.latency_target_ns.store(terms.latency_target_ns, std::memory_order_relaxed);
  page.mode.store(terms.mode, std::memory_order_release);
}

ComputeTerms Load(const abi::ComputeTermsV1& page) {
  return {.mode = page.mode.load(std::memory_order_acquire),
          .share_permille = page.share_permille.load(std::memory_order_relaxed),
          .weight = page.weight.load(std::memory_order_relaxed),
          .is_high = page.is_high.load(std::memory_order_relaxed) != 0,
          .burst_ns = page.burst_ns.load(std::memory_order_relaxed),
          .latency_target_ns = page.latency_target_ns.load(std::memory_order_relaxed)};
}

void Fill(LimitsPageV1& page, const Limits& limits) {
  page.magic = abi::kLimitsMagic;
  page.size = sizeof(page);
  page.major = abi::kLimitsMajor;
  page.minor = abi::kLimitsMinor;
  page.card_count = static_cast<uint32_t>(limits.cards.size());
  limits.tenant.copy(page.tenant_name, sizeof(page.tenant_name) - 1);
  for (size_t i = 0; i < limits.cards.size(); ++i) {
    const CardLimit& card = limits.cards[i];
    std::ranges::copy(card.uuid.bytes(), page.cards[i].uuid);
    page.cards[i].memory_limit_bytes.store(Word(card.memory), std::memory_order_relaxed);
    page.cards[i].memory_capacity_bytes.store(card.capacity.count(), std::memory_order_relaxed);
    Store(page.cards[i].compute, card.compute);
  }
}

// For writing; kNotFound: there is no such card.
Result<LimitsMapping> OpenCard(const std::string& path, uint32_t card) {
  auto page = LimitsMapping::Open(path, LimitsMapping::Access::kWrite);
  if (page && card >= (*page)->card_count)
    return Fail(Errc::kNotFound, path + " has no card " + std::to_string(card));
  return page;
}

}  // namespace

Result<void> WriteLimitsFile(const std::string& path, const Limits& limits) {
  if (limits.cards.size() > abi::kMaxCards)
    return Fail(Errc::kInvalid, "a tenant has at most " + std::to_string(abi::kMaxCards) +
                                    " cards: name fewer with --gpu");
  const auto page = std::make_unique<LimitsPageV1>();
  Fill(*page, limits);

  return ReplaceFile(path, {reinterpret_cast<const char*>(page.get()), sizeof(*page)}, 0644);
}

Result<Limits> ReadLimitsFile(const std::string& path) {
  auto page = LimitsMapping::Open(path, LimitsMapping::Access::kRead);
  if (!page) return Forward(page);
  const LimitsPageV1& content = *page->operator->();
  Limits limits{.tenant = std::string(content.tenant_name,
                                      strnlen(content.tenant_name, sizeof(content.tenant_name))),
                .cards = {}};
  for (uint32_t i = 0; i < content.card_count; ++i) {
    const abi::CardLimitsV1& card = content.cards[i];
    limits.cards.push_back({.uuid = GpuUuid(std::to_array(card.uuid)),
                            .memory = FromWord(card.memory_limit_bytes.load()),
                            .capacity = Bytes(card.memory_capacity_bytes.load()),
                            .compute = Load(card.compute)});
  }
  return limits;
}

Result<std::vector<TurnReading>> ReadTurns(const std::string& path) {
  auto page = LimitsMapping::Open(path, LimitsMapping::Access::kRead);
  if (!page) return Forward(page);
  std::vector<TurnReading> turns;
  for (uint32_t card = 0; card < (*page)->card_count; ++card) {
    const abi::TurnV1& turn = (*page)->cards[card].turn;
    turns.push_back({.granted_ns = turn.granted_ns.load(std::memory_order_relaxed),
                     .valid_until_ns = turn.valid_until_ns.load(std::memory_order_relaxed)});
  }
  return turns;
}

Result<void> StoreMemoryLimit(const std::string& path, uint32_t card, std::optional<Bytes> memory) {
  auto page = OpenCard(path, card);
  if (!page) return Forward(page);
  // Readers load relaxed: a limit stands alone, nothing is published with it.
  (*page)->cards[card].memory_limit_bytes.store(Word(memory), std::memory_order_relaxed);
  return {};
}

Result<void> StoreComputeTerms(const std::string& path, uint32_t card, const ComputeTerms& terms) {
  auto page = OpenCard(path, card);
  if (!page) return Forward(page);
  Store((*page)->cards[card].compute, terms);
  return {};
}

}  // namespace warpshare::platform

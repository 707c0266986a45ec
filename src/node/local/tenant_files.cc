#include "node/local/tenant_files.h"

#include <array>

namespace warpshare::node {

using platform::LimitsMapping;

Result<TenantFiles> TenantFiles::Open(const TenantDir& tenant) {
  auto limits = LimitsMapping::Open(tenant.limits_path(), LimitsMapping::Access::kWrite);
  if (!limits) return Forward(limits);
  auto usage = platform::UsageFile::Open(tenant.usage_path());
  if (!usage) return Forward(usage);
  auto attention = usage->MapAttention();
  if (!attention) return Forward(attention);
  return TenantFiles(std::move(*limits), std::move(*usage), std::move(*attention));
}

bool TenantFiles::HasTerms(uint32_t card) const {
  return limits_->cards[card].compute.mode.load(std::memory_order_acquire) !=
         abi::ComputeMode::kNone;
}

GpuUuid TenantFiles::Uuid(uint32_t card) const {
  return GpuUuid(std::to_array(limits_->cards[card].uuid));
}

TenantPages TenantFiles::Pages(uint32_t card) const {
  return {
      .card = &limits_->cards[card], .index = card, .usage = this, .attention = attention_.get()};
}

bool TenantFiles::Copy(uint64_t offset, std::span<std::byte> untrusted_copy) const {
  const auto copied = usage_.Copy(untrusted_copy, offset);
  return copied && *copied == untrusted_copy.size();
}

bool TenantFiles::IsSlotHeld(uint32_t slot) const {
  const auto held = usage_.IsSlotHeld(slot);
  return !held || *held;
}

}  // namespace warpshare::node

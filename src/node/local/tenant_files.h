// One tenant's two files as an arbiter needs them: the host's page to write to, the tenant's to
// copy and to sleep on.
#pragma once

#include <cstdint>
#include <span>

#include "node/arbiter/tenant_pages.h"
#include "node/tenancy/tenant_dir.h"
#include "platform/region_file/limits_mapping.h"
#include "platform/region_file/usage_file.h"
#include "result/result.h"
#include "types/gpu_uuid.h"

namespace warpshare::node {

class TenantFiles final : public TenantUsage {
 public:
  static Result<TenantFiles> Open(const TenantDir& tenant);

  // Which of the page's cards are shared out: those with compute terms.
  uint32_t card_count() const { return limits_->card_count; }
  bool HasTerms(uint32_t card) const;
  GpuUuid Uuid(uint32_t card) const;

  // Not after this object has moved.
  TenantPages Pages(uint32_t card) const;

  // False once the limits page was replaced or removed.
  bool AreAt(const TenantDir& tenant) const { return limits_.IsAt(tenant.limits_path()); }

  bool Copy(uint64_t offset, std::span<std::byte> untrusted_copy) const override;
  bool IsSlotHeld(uint32_t slot) const override;

 private:
  TenantFiles(platform::LimitsMapping limits, platform::UsageFile usage,
              platform::AttentionWord attention)
      : limits_(std::move(limits)), usage_(std::move(usage)), attention_(std::move(attention)) {}

  platform::LimitsMapping limits_;
  platform::UsageFile usage_;
  platform::AttentionWord attention_;
};

}  // namespace warpshare::node

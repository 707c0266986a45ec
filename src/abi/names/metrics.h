// Names of the metrics of all daemons, as Prometheus has them: base units, each spelled once.
// docs/metrics.md describes them; a test holds the two together.
#pragma once

namespace warpshare::abi {

// Of a card. Labels: node, card (uuid), model.
inline constexpr char kMetricCardMemoryCapacity[] = "warpshare_card_memory_capacity_bytes";
inline constexpr char kMetricCardMemoryUsed[] = "warpshare_card_memory_used_bytes";
inline constexpr char kMetricCardMemoryAllocated[] = "warpshare_card_memory_allocated_bytes";
inline constexpr char kMetricCardShareAllocated[] = "warpshare_card_compute_allocated_ratio";
inline constexpr char kMetricCardTenants[] = "warpshare_card_tenants";
inline constexpr char kMetricCardHealthy[] = "warpshare_card_healthy";

// Of a tenant on a card. Labels: node, card, tenant, namespace, pod, container; the last three are
// empty for what did not come from Kubernetes.
inline constexpr char kMetricTenantMemoryLimit[] = "warpshare_tenant_memory_limit_bytes";
inline constexpr char kMetricTenantMemoryUsed[] = "warpshare_tenant_memory_used_bytes";
inline constexpr char kMetricTenantMemoryPeak[] = "warpshare_tenant_memory_peak_bytes";
inline constexpr char kMetricTenantRefusals[] = "warpshare_tenant_memory_refusals_total";
inline constexpr char kMetricTenantShare[] = "warpshare_tenant_compute_share_ratio";
inline constexpr char kMetricTenantGranted[] = "warpshare_tenant_compute_granted_seconds_total";
inline constexpr char kMetricTenantUsed[] = "warpshare_tenant_compute_used_seconds_total";
inline constexpr char kMetricTenantThrottled[] = "warpshare_tenant_compute_throttled_seconds_total";
inline constexpr char kMetricTenantWaiting[] = "warpshare_tenant_compute_waiting_processes";
inline constexpr char kMetricTenantLaunchWait[] = "warpshare_tenant_launch_wait_seconds";
// Without a card.
inline constexpr char kMetricTenantProcesses[] = "warpshare_tenant_processes";

}  // namespace warpshare::abi

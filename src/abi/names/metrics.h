// Names of the metrics of all daemons, as Prometheus has them: base units, each spelled once.
// docs/metrics.md describes them; a test holds the two together.
#pragma once

namespace warpshare::abi {

// Of every daemon. Labels: version.
inline constexpr char kMetricBuildInfo[] = "warpshare_build_info";

// Of a node: containers that were about to start there. Labels: node, outcome.
inline constexpr char kMetricContainerStarts[] = "warpshare_node_container_starts_total";

// Of a card. Labels: node, card (uuid), model.
inline constexpr char kMetricCardMemoryCapacity[] = "warpshare_card_memory_capacity_bytes";
inline constexpr char kMetricCardMemoryUsed[] = "warpshare_card_memory_used_bytes";
inline constexpr char kMetricCardMemoryAllocated[] = "warpshare_card_memory_allocated_bytes";
inline constexpr char kMetricCardShareAllocated[] = "warpshare_card_compute_allocated_ratio";
inline constexpr char kMetricCardTenants[] = "warpshare_card_tenants";
inline constexpr char kMetricCardTaken[] = "warpshare_card_taken";
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

// Of the scheduler. What its extender was asked. Labels: verb.
inline constexpr char kMetricVerbSeconds[] = "warpshare_scheduler_verb_seconds";
inline constexpr char kMetricVerbErrors[] = "warpshare_scheduler_verb_errors_total";
// Labels: reason.
inline constexpr char kMetricRefusedNodes[] = "warpshare_scheduler_refused_nodes_total";
inline constexpr char kMetricWaitingPods[] = "warpshare_scheduler_waiting_pods";
inline constexpr char kMetricOldestWaiting[] = "warpshare_scheduler_oldest_waiting_seconds";
// What is on its way.
inline constexpr char kMetricReservations[] = "warpshare_scheduler_reservations";
inline constexpr char kMetricReservationsExpired[] =
    "warpshare_scheduler_reservations_expired_total";
inline constexpr char kMetricNominations[] = "warpshare_scheduler_nominations_total";
inline constexpr char kMetricNominationsUsed[] = "warpshare_scheduler_nominations_used_total";
inline constexpr char kMetricBindingPods[] = "warpshare_scheduler_binding_pods";
inline constexpr char kMetricLeads[] = "warpshare_scheduler_leads";
inline constexpr char kMetricServes[] = "warpshare_scheduler_serves";
// The cluster, as its ledger has it.
inline constexpr char kMetricLedgerNodes[] = "warpshare_scheduler_nodes";
inline constexpr char kMetricLedgerPods[] = "warpshare_scheduler_pods";
inline constexpr char kMetricLedgerCards[] = "warpshare_scheduler_cards";
inline constexpr char kMetricUnhealthyCards[] = "warpshare_scheduler_unhealthy_cards";
inline constexpr char kMetricEmptyCards[] = "warpshare_scheduler_empty_cards";
inline constexpr char kMetricFreeCards[] = "warpshare_scheduler_free_cards";
inline constexpr char kMetricStrandedCards[] = "warpshare_scheduler_stranded_cards";
inline constexpr char kMetricOvercommittedCards[] = "warpshare_scheduler_overcommitted_cards";
inline constexpr char kMetricUnreadableNodes[] = "warpshare_scheduler_unreadable_nodes";
inline constexpr char kMetricUnreadablePods[] = "warpshare_scheduler_unreadable_pods";
// Labels: node.
inline constexpr char kMetricNodeMemoryHeld[] = "warpshare_scheduler_node_memory_allocated_bytes";

// Quotas. Labels: namespace, model. An empty model is all cards together.
inline constexpr char kMetricQuotaCardsLimit[] = "warpshare_quota_cards_limit";
inline constexpr char kMetricQuotaCardsUsed[] = "warpshare_quota_cards_used";
inline constexpr char kMetricQuotaMemoryLimit[] = "warpshare_quota_memory_limit_bytes";
inline constexpr char kMetricQuotaMemoryUsed[] = "warpshare_quota_memory_used_bytes";
inline constexpr char kMetricQuotaComputeLimit[] = "warpshare_quota_compute_limit_ratio";
inline constexpr char kMetricQuotaComputeUsed[] = "warpshare_quota_compute_used_ratio";

// Of the webhook. Labels: outcome.
inline constexpr char kMetricReviews[] = "warpshare_webhook_reviews_total";
// Without labels.
inline constexpr char kMetricCertificateExpiry[] =
    "warpshare_webhook_certificate_expiry_timestamp_seconds";

}  // namespace warpshare::abi

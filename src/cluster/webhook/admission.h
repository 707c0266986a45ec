// Who may come in: decides about one pod. Changes nothing anywhere, so a dry run is like any other;
// what a pod takes is counted when it is bound.
#pragma once

#include <string>

#include "cluster/quota/quota_book.h"
#include "cluster/webhook/admission_review.h"
#include "policy/admit/inventory.h"
#include "policy/request/pod_view.h"

namespace warpshare::webhook {

// What cards the cluster has.
class Cards {
 public:
  virtual ~Cards() = default;
  // Empty while nobody knows. Looked through for each pod: nodes alike stand there once.
  virtual const admit::Inventory& Inventory() const = 0;
};

class Admission {
 public:
  // `scheduler`: for pods that name none; "" leaves them theirs. The others outlive this.
  Admission(const Cards& cards, const quota::QuotaBook& quotas, std::string scheduler)
      : cards_(cards), quotas_(quotas), scheduler_(std::move(scheduler)) {}

  Verdict Judge(const Review& review) const;

 private:
  Verdict JudgeGpuPod(const Review& review, request::PodView pod) const;

  const Cards& cards_;
  const quota::QuotaBook& quotas_;
  const std::string scheduler_;
};

}  // namespace warpshare::webhook

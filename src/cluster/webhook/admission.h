// Who may come in: decides about one pod. Changes nothing anywhere, so a dry run is like any other;
// what a pod takes is counted when it is bound.
#pragma once

#include <string>

#include "cluster/quota/quota_book.h"
#include "cluster/webhook/admission_review.h"
#include "cluster/webhook/adoption.h"
#include "policy/admit/inventory.h"
#include "policy/request/pod_view.h"

namespace warpshare::webhook {

// What cards the cluster has.
class Cards {
 public:
  virtual ~Cards() = default;
  // Empty while nobody knows. Looked through for each pod: nodes alike stand there once.
  virtual const admit::Inventory& Inventory() const = 0;
  // Does NVIDIA's own device plugin give cards on some node? True while nobody knows.
  virtual bool MayHaveNvidiasPlugin() const = 0;
};

struct AdmissionTerms {
  std::string scheduler = {};  // for pods that name none; "": theirs stays
  NvidiaGpu nvidia_gpu = NvidiaGpu::kAuto;
};

class Admission {
 public:
  // `cards` and `quotas` outlive this.
  Admission(const Cards& cards, const quota::QuotaBook& quotas, AdmissionTerms terms)
      : cards_(cards), quotas_(quotas), terms_(std::move(terms)) {}

  Verdict Judge(const Review& review) const;

 private:
  Verdict JudgeGpuPod(const Review& review, request::PodView pod, Adoption adoption) const;

  const Cards& cards_;
  const quota::QuotaBook& quotas_;
  const AdmissionTerms terms_;
};

}  // namespace warpshare::webhook

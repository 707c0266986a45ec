// Plain nvidia.com/gpu, which manifests written for NVIDIA's device plugin ask for: whole cards.
// Where that plugin is not to give them, the pod asks for as many warpshare.io/gpu instead and is
// a pod like all others that ask for cards, on the same ledger.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "policy/request/pod_view.h"

namespace warpshare::webhook {

// Which pods that ask for nvidia.com/gpu become ours at the door.
enum class NvidiaGpu {
  kAuto,   // all, as long as NVIDIA's plugin runs nowhere: they would wait for ever
  kAdopt,  // all
  kLeave,  // none
};

// "auto", "adopt", "leave".
std::optional<NvidiaGpu> ParseNvidiaGpu(std::string_view text);

// How many nvidia.com/gpu the container asks for; nullptr: none, or something of ours as well, or
// what the API server will refuse in the words of the one who wrote it.
const std::string* PlainCards(const request::ContainerView& container);

enum class Adoption {
  kNone,
  kAdopted,
  kBound,  // it would be, and names its node: too late to send it to one of ours
};

// `may_have_plugin`: NVIDIA's plugin gives cards on some node, or nobody knows yet. Under kAuto a
// pod that asks for our cards, too, is ours altogether: no node has room for it otherwise.
Adoption AdoptionOf(const request::PodView& pod, NvidiaGpu mode, bool may_have_plugin);

}  // namespace warpshare::webhook

// What a pod was given, and its text: one annotation, written with the Binding by the scheduler and
// read by the node before each container starts.
//
//   v1;node-a;main=GPU-<uuid>:4GiB:30:hard+GPU-<uuid>:4GiB:30:hard;side=GPU-<uuid>:1536MiB:0:high
//
// A card is uuid:memory:cores:mode[:weight], where mode is whole, hard, soft, weighted, high or low
// and a weight of 1 is left out. Containers without cards are left out. The text of an assignment
// is unique: the decoder takes no other, so a text edited by hand is either another valid
// assignment or an error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/request/request.h"
#include "result/result.h"

namespace warpshare::request {

inline constexpr size_t kMaxAssignmentBytes = 16 * 1024;

// A container's part of one card.
struct CardGrant {
  GpuUuid uuid = {};
  Bytes memory = {};
  uint32_t cores_percent = 0;
  bool whole = false;
  Compute compute = {};

  bool operator==(const CardGrant&) const = default;
};

struct ContainerGrant {
  std::string container = {};
  std::vector<CardGrant> cards = {};  // in the order the container sees them

  bool operator==(const ContainerGrant&) const = default;
};

struct Assignment {
  std::string node = {};
  std::vector<ContainerGrant> containers = {};

  // None for a container that was given no card.
  const ContainerGrant* Find(std::string_view container) const;

  bool operator==(const Assignment&) const = default;
};

// At most kMaxAssignmentBytes for up to 64 cards in all.
std::string Encode(const Assignment& assignment);

Result<Assignment> DecodeAssignment(std::string_view untrusted_text);

// What the grant means for the one who shares out the card's time. A whole card has nobody to share
// with and is not held back.
share::Terms TermsOf(const CardGrant& grant);

}  // namespace warpshare::request

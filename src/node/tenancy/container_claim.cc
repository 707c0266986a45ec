#include "node/tenancy/container_claim.h"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>

#include "platform/descriptor/descriptor.h"

namespace warpshare::node {

namespace {

constexpr size_t kMostBytes = 64 << 10;
constexpr std::string_view kDevice = "device";

// Names and values are Kubernetes names and our own texts: no line breaks in them.
struct Field {
  std::string_view key;
  std::string ContainerClaim::* value;
};
constexpr Field kFields[] = {
    {"pod-uid", &ContainerClaim::pod_uid},       {"namespace", &ContainerClaim::pod_namespace},
    {"pod", &ContainerClaim::pod_name},          {"container", &ContainerClaim::container},
    {"assignment", &ContainerClaim::assignment}, {"lowered-from", &ContainerClaim::lowered_from},
};

void AddLine(std::string& text, std::string_view key, std::string_view value) {
  text.append(key).append("=").append(value).append("\n");
}

bool TakeLine(ContainerClaim& claim, std::string_view key, std::string_view value) {
  if (key == kDevice) {
    claim.device_ids.emplace_back(value);
    return true;
  }
  for (const Field& field : kFields) {
    if (field.key != key) continue;
    claim.*field.value = value;
    return true;
  }
  return false;
}

}  // namespace

std::string ClaimText(const ContainerClaim& claim) {
  std::string text;
  for (const std::string& id : claim.device_ids) AddLine(text, kDevice, id);
  for (const Field& field : kFields)
    if (!(claim.*field.value).empty()) AddLine(text, field.key, claim.*field.value);
  return text;
}

Result<void> WriteClaim(const std::string& path, const ContainerClaim& claim) {
  return platform::ReplaceFile(path, ClaimText(claim), 0600);
}

Result<ContainerClaim> ReadClaim(const std::string& path) {
  const auto text = platform::ReadWholeFile(path, kMostBytes);
  if (!text) return Fail(text.error());
  auto claim = ParseClaim(*text);
  if (!claim) return Fail(claim.error().code, path + ": " + claim.error().message);
  return claim;
}

Result<ContainerClaim> ParseClaim(std::string_view text) {
  ContainerClaim claim;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const size_t equals = line.find('=');
    if (end == std::string_view::npos || equals == std::string_view::npos ||
        !TakeLine(claim, line.substr(0, equals), line.substr(equals + 1)))
      return Fail(Errc::kCorrupt, "not a container's claim: remove its folder");
    text.remove_prefix(end + 1);
  }
  if (claim.device_ids.empty()) return Fail(Errc::kCorrupt, "a claim without devices");
  return claim;
}

}  // namespace warpshare::node

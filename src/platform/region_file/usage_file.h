// The usage file of a tenant, from the host's side (abi/region/usage_page.h).
//
// Mode 0666: every process of the tenant writes it, whatever user it has become; that no stranger
// does is the matter of the folders above it (node/tenancy). Once made, every byte of it is the
// tenant's word, and its length too: it is read by copying, never mapped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "platform/descriptor/descriptor.h"
#include "result/result.h"

namespace warpshare::platform {

// Sparse: costs a page until processes take slots.
Result<void> MakeUsageFile(const std::string& path);

class UsageFile {
 public:
  static Result<UsageFile> Open(const std::string& path);

  // Copies the beginning of the file; returns how many bytes there were.
  Result<size_t> Copy(std::span<std::byte> untrusted_copy) const;

  // Whether the process that took the slot lives: it holds the slot's lock byte as long as it does.
  Result<bool> IsSlotHeld(uint32_t slot) const;
  Result<bool> IsAnySlotHeld() const;

 private:
  explicit UsageFile(Descriptor file) : file_(std::move(file)) {}

  Descriptor file_;
};

}  // namespace warpshare::platform

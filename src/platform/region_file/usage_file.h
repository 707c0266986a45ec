// The usage file of a tenant, from the host's side (abi/region/usage_page.h).
//
// Mode 0666: every process of the tenant writes it, whatever user it has become; that no stranger
// does is the matter of the folders above it (node/tenancy). Once made, every byte of it is the
// tenant's word, and its length too: it is read by copying, never through a mapping.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "abi/region/usage_page.h"
#include "platform/descriptor/descriptor.h"
#include "result/result.h"

namespace warpshare::platform {

// Sparse: costs a page until processes take slots.
Result<void> MakeUsageFile(const std::string& path);

// The tenant may make it longer, and its mappings need no more than the page: what is beyond, which
// would fill the host's memory, is cut off. True: there was something.
Result<bool> CutUsageFile(const std::string& path);

// The page's `attention`, mapped to sleep on and never to be read: where the tenant cut its file
// short there is no word, which the kernel says and a load does not survive.
class AttentionWord {
 public:
  const std::atomic<uint32_t>* get() const { return &page_->attention; }

 private:
  friend class UsageFile;
  struct Unmap {
    void operator()(const abi::UsagePageV1* page) const;
  };
  explicit AttentionWord(const abi::UsagePageV1* page) : page_(page) {}

  std::unique_ptr<const abi::UsagePageV1, Unmap> page_;
};

class UsageFile {
 public:
  static Result<UsageFile> Open(const std::string& path);

  // Copies from `offset` on; returns how many bytes there were.
  Result<size_t> Copy(std::span<std::byte> untrusted_copy, uint64_t offset = 0) const;

  // Whether the process that took the slot lives: it holds the slot's lock byte as long as it does.
  Result<bool> IsSlotHeld(uint32_t slot) const;
  Result<bool> IsAnySlotHeld() const;

  Result<AttentionWord> MapAttention() const;

 private:
  explicit UsageFile(Descriptor file) : file_(std::move(file)) {}

  Descriptor file_;
};

}  // namespace warpshare::platform

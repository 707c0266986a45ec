// A limits page, mapped for as long as the object lives. The host's own file: what it says is
// believed once it has the right form.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "abi/region/limits_page.h"
#include "platform/descriptor/descriptor.h"
#include "result/result.h"

namespace warpshare::platform {

class LimitsMapping {
 public:
  enum class Access : uint8_t {
    kRead,
    kWrite,  // the file is closed after the last store, which tells whoever watches it
  };
  static Result<LimitsMapping> Open(const std::string& path, Access access);

  abi::LimitsPageV1* operator->() const { return page_.get(); }

  // False once another file is in its place, or none: the path's last word is not in this page.
  bool IsAt(const std::string& path) const;

 private:
  struct Unmap {
    void operator()(abi::LimitsPageV1* page) const;
  };
  LimitsMapping(Descriptor file, abi::LimitsPageV1* page) : file_(std::move(file)), page_(page) {}

  Descriptor file_;
  std::unique_ptr<abi::LimitsPageV1, Unmap> page_;
};

}  // namespace warpshare::platform

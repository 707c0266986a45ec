// A tenant directory for one test: limits and usage as `warpshare run` would make them, seen from
// the host's side.
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "abi/names/env.h"
#include "abi/region/limits_page.h"
#include "abi/region/usage_page.h"
#include "ledger/card_ledger.h"

namespace warpshare::testing {

struct TenantCard {
  std::array<uint8_t, 16> uuid;
  uint64_t memory_limit = abi::kNoLimit;
};

// Made where shared memory lives, as a tenant directory is; removed with the object.
class TenantDir {
 public:
  explicit TenantDir(const std::vector<TenantCard>& cards) {
    std::string name = "/dev/shm/warpshare-test-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = name;
    chmod(name.c_str(), 0755);
    limits_ = Create<abi::LimitsPageV1>(abi::kLimitsFile, 0644);
    limits_->magic = abi::kLimitsMagic;
    limits_->size = sizeof(abi::LimitsPageV1);
    limits_->major = abi::kLimitsMajor;
    limits_->minor = abi::kLimitsMinor;
    limits_->card_count = static_cast<uint32_t>(cards.size());
    strcpy(limits_->tenant_name, "test");
    for (size_t i = 0; i < cards.size(); ++i) {
      memcpy(limits_->cards[i].uuid, cards[i].uuid.data(), 16);
      limits_->cards[i].memory_limit_bytes = cards[i].memory_limit;
    }
    usage_ = Create<abi::UsagePageV1>(abi::kUsageFile, 0666);
    usage_->magic = abi::kUsageMagic;
    usage_->size = sizeof(abi::UsagePageV1);
    usage_->major = abi::kUsageMajor;
    usage_->minor = abi::kUsageMinor;
  }
  ~TenantDir() {
    munmap(limits_, sizeof(*limits_));
    munmap(usage_, sizeof(*usage_));
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TenantDir(const TenantDir&) = delete;
  TenantDir& operator=(const TenantDir&) = delete;

  const std::string& path() const { return path_; }
  std::string usage_file() const { return path_ + "/" + abi::kUsageFile; }
  std::string limits_file() const { return path_ + "/" + abi::kLimitsFile; }

  abi::LimitsPageV1& limits() { return *limits_; }
  abi::UsagePageV1& usage() { return *usage_; }
  void SetLimit(uint32_t card, uint64_t bytes) { limits_->cards[card].memory_limit_bytes = bytes; }
  uint64_t UsedBytes(uint32_t card = 0) { return ledger::CardLedger(*usage_, card).TotalBytes(); }
  uint64_t Refusals(uint32_t card = 0) { return ledger::CardLedger(*usage_, card).Refusals(); }

 private:
  template <typename Page>
  Page* Create(const char* name, mode_t mode) {
    const std::string file = path_ + "/" + name;
    const int fd = open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0 || ftruncate(fd, sizeof(Page)) != 0) throw std::runtime_error(file);
    fchmod(fd, mode);
    void* page = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (page == MAP_FAILED) throw std::runtime_error(file);
    return static_cast<Page*>(page);
  }

  std::string path_;
  abi::LimitsPageV1* limits_;
  abi::UsagePageV1* usage_;
};

}  // namespace warpshare::testing

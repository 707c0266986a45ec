// A state folder of the test's own and a machine of three cards.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>

#include "abi/region/usage_page.h"
#include "ledger/card_ledger.h"
#include "ledger/process_identity.h"
#include "node/tenancy/membership.h"
#include "node/tenancy/state_dir.h"
#include "platform/clock/fake/fake_clock.h"
#include "platform/process/lookup.h"
#include "platform/region_file/file_lock.h"

namespace warpshare::node {

class TenancyFixture : public testing::Test {
 protected:
  TenancyFixture() {
    char pattern[] = "/tmp/tenancy_test.XXXXXX";
    root_ = mkdtemp(pattern);
    for (uint8_t i = 0; i < 3; ++i)
      machine_.push_back({.index = i,
                          .uuid = GpuUuid(std::array<uint8_t, 16>{i, 0xab}),
                          .name = "Test Card",
                          .total = 40_GiB,
                          .used = 0_B});
  }
  ~TenancyFixture() override { std::filesystem::remove_all(root_); }

  StateDir State() { return StateDir::Open(root_ + "/state", IfMissing::kMake).value(); }

  TenantRequest Request(const char* name, std::optional<MemoryAmount> memory = std::nullopt) {
    return {.name = *ParseTenantName(name),
            .machine = machine_,
            .chosen = {machine_[0]},
            .cards_stated = false,
            .memory = memory};
  }

  Result<Membership> Enter(const TenantRequest& request) {
    return Membership::Enter(State(), request, clock_);
  }

  std::string root_;
  std::vector<platform::Card> machine_;
  platform::FakeClock clock_;
};

// This process as a tenant's process: takes a slot the way the interposer does, without its code.
class FakeProcess {
 public:
  FakeProcess(const std::string& usage_path, uint32_t slot)
      : file_(platform::OpenFile(usage_path, O_RDWR).value()), slot_(slot) {
    page_ = static_cast<abi::UsagePageV1*>(mmap(
        nullptr, sizeof(abi::UsagePageV1), PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0));
    abi::SlotOwner& owner = page_->slots[slot].owner;
    owner.pid = static_cast<uint32_t>(getpid());
    owner.pid_namespace = platform::OwnPidNamespace();
    const std::string stat = platform::LookUpProcess(owner.pid).stat;
    ledger::ProcessStat parsed{};
    EXPECT_TRUE(ledger::ParseProcessStat(stat.data(), stat.size(), parsed));
    owner.start_time = parsed.start_time;
    std::strcpy(owner.command, "tenant");
    owner.generation = 1;
    const off_t lock_byte = static_cast<off_t>(abi::SlotLockByte(slot));
    EXPECT_TRUE(
        platform::TryLock(file_, platform::LockMode::kExclusive, {.start = lock_byte, .length = 1})
            .value());
  }
  ~FakeProcess() { munmap(page_, sizeof(*page_)); }

  abi::SlotOwner& owner() { return page_->slots[slot_].owner; }
  abi::UsagePageV1& page() { return *page_; }
  bool Take(uint32_t card, Bytes bytes, Bytes limit) {
    return ledger::CardLedger(*page_, card).Reserve(slot_, bytes.count(), limit.count()) ==
           ledger::Verdict::kGranted;
  }

 private:
  platform::Descriptor file_;
  uint32_t slot_;
  abi::UsagePageV1* page_;
};

}  // namespace warpshare::node

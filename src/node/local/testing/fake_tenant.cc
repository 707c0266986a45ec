#include "node/local/testing/fake_tenant.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>
#include <utility>

namespace warpshare::node {

using platform::LimitsMapping;

uint64_t MonotonicNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

void SleepOn(const std::atomic<uint32_t>& word, uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT, value, nullptr, nullptr, 0);
}

FakeTenant::FakeTenant(Membership membership, const platform::ComputeTerms& terms)
    : membership_(std::move(membership)),
      limits_(LimitsMapping::Open(dir().limits_path(), LimitsMapping::Access::kRead).value()),
      process_(dir().usage_path(), 0) {
  process_.page().slot_ceiling = 1;
  SetTerms(terms);
}

FakeTenant::~FakeTenant() {
  // Where the file was cut short there is no slot any more.
  std::error_code gone;
  if (std::filesystem::file_size(dir().usage_path(), gone) == sizeof(abi::UsagePageV1))
    ++process_.owner().generation;
}

void FakeTenant::SetTerms(const platform::ComputeTerms& terms, uint32_t card) {
  EXPECT_TRUE(platform::StoreComputeTerms(dir().limits_path(), card, terms));
}

void FakeTenant::Leave(const StateDir& state) {
  std::filesystem::rename(dir().path(), state.path() + "/gone-" + RandomKey());
}

void FakeTenant::Call() {
  std::atomic<uint32_t>& attention = process_.page().attention;
  ++attention;
  syscall(SYS_futex, &attention, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void FakeTenant::AwaitTurn() {
  abi::CardWorkV1& work = process_.page().slots[0].work[0];
  work.waits_since_ns = MonotonicNs();
  Call();
  for (uint32_t word = turn().word; (word & 1) == 0; word = turn().word) SleepOn(turn().word, word);
  work.waits_since_ns = 0;
}

void FakeTenant::WorkFor(uint64_t ns) {
  process_.page().slots[0].work[0].busy_until_ns = MonotonicNs() + ns;
  Call();
}

// An arbiter's first word for a tenant that waits is a turn, its last one for anybody a change.
void FakeTenant::AwaitServed() {
  AwaitTurn();
  EXPECT_TRUE(IsServed());
}

void FakeTenant::AwaitUnserved() {
  for (uint32_t word = turn().word; turn().valid_until_ns != 0; word = turn().word)
    SleepOn(turn().word, word);
}

void FakeTenant::CutUsageShort() { EXPECT_EQ(truncate(dir().usage_path().c_str(), 0), 0); }

}  // namespace warpshare::node

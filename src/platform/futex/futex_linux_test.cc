#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "platform/futex/futex.h"

namespace warpshare::platform {
namespace {

constexpr uint64_t kNever = uint64_t{1} << 62;

TEST(Futex, AWaitEndsWhenAnyOfItsWordsChanges) {
  LinuxFutex futex;
  std::atomic<uint32_t> quiet = 0;
  std::atomic<uint32_t> rung = 0;
  std::thread ringer([&] {
    rung = 1;
    futex.WakeAll(rung);
  });
  const std::vector<FutexWait> waits = {{&quiet, 0}, {&rung, 0}};
  while (rung == 0) futex.WaitAny(waits, kNever);
  ringer.join();
}

TEST(Futex, AWordThatIsNotAsExpectedIsNotWaitedOn) {
  LinuxFutex futex;
  std::atomic<uint32_t> word = 7;
  futex.WaitAny(std::vector<FutexWait>{{&word, 6}}, kNever);
}

TEST(Futex, ADeadlineThatPassedEndsAWait) {
  LinuxFutex futex;
  std::atomic<uint32_t> word = 7;
  futex.WaitAny(std::vector<FutexWait>{{&word, 7}}, 1);
}

TEST(Futex, WordsThatCannotBeSleptOnArePolled) {
  LinuxFutex futex;
  const auto* unmapped = reinterpret_cast<const std::atomic<uint32_t>*>(uintptr_t{64});
  futex.WaitAny(std::vector<FutexWait>{{unmapped, 0}}, kNever);
  futex.WaitAny({}, kNever);
  std::vector<std::atomic<uint32_t>> words(200);
  std::vector<FutexWait> too_many;
  for (const auto& word : words) too_many.push_back({&word, 0});
  futex.WaitAny(too_many, kNever);
}

}  // namespace
}  // namespace warpshare::platform

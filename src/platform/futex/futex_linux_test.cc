#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

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

// A file's page, mapped twice as two processes do: the futex is found by file and place.
class SharedPage {
 public:
  SharedPage() {
    char path[] = "/tmp/futex_test.XXXXXX";
    fd_ = mkstemp(path);
    unlink(path);
    Resize(kPage);
    reads = Map(PROT_READ);
    writes = Map(PROT_READ | PROT_WRITE);
  }
  ~SharedPage() {
    munmap(reads, kPage);
    munmap(writes, kPage);
    close(fd_);
  }
  void Resize(off_t size) { EXPECT_EQ(ftruncate(fd_, size), 0); }

  std::atomic<uint32_t>* reads;  // through a mapping that may only be read
  std::atomic<uint32_t>* writes;

 private:
  static constexpr size_t kPage = 4096;
  std::atomic<uint32_t>* Map(int protection) {
    void* page = mmap(nullptr, kPage, protection, MAP_SHARED, fd_, 0);
    EXPECT_NE(page, MAP_FAILED);
    return static_cast<std::atomic<uint32_t>*>(page);
  }

  int fd_;
};

TEST(Futex, AWordIsSleptOnThroughAMappingThatMayOnlyBeRead) {
  LinuxFutex futex;
  const SharedPage page;
  std::thread ringer([&] {
    *page.writes = 1;
    futex.WakeAll(*page.writes);
  });
  while (*page.reads == 0) futex.WaitAny(std::vector<FutexWait>{{page.reads, 0}}, kNever);
  ringer.join();
}

TEST(Futex, AFileCutShortKeepsNobodyFromOtherWords) {
  LinuxFutex futex;
  SharedPage page;
  page.Resize(0);
  std::atomic<uint32_t> word = 7;
  futex.WaitAny(std::vector<FutexWait>{{page.reads, 0}, {&word, 6}}, kNever);
  futex.WaitAny(std::vector<FutexWait>{{page.reads, 0}, {&word, 7}}, kNever);
  page.Resize(4096);
  futex.WaitAny(std::vector<FutexWait>{{page.reads, 1}}, kNever);
}

}  // namespace
}  // namespace warpshare::platform

#include "interposer/session/session.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <future>

#include "few_functions.h"
#include "in_child.h"
#include "interposer/session/liveness.h"
#include "ledger/room.h"
#include "tenant_dir.h"

namespace warpshare::interposer {

namespace {

using testing::AwaitChild;
using testing::InChild;
using testing::kUuidA;
using testing::kUuidB;
using testing::StartChild;
using testing::TenantDir;

constexpr uint64_t kMiB = uint64_t{1} << 20;

class SessionTest : public ::testing::Test {
 protected:
  SessionTest() { setenv(abi::kEnvTenantDir, tenant_.path().c_str(), 1); }
  ~SessionTest() override { unsetenv(abi::kEnvTenantDir); }

  // As another process does that is wrong about this one.
  void TakeForDead() {
    const uint32_t slot = Session::Current()->slot();
    ledger::GiveBackDead(tenant_.usage(), slot, tenant_.usage().slots[slot].owner.generation);
  }

  // Whether this process is charged `bytes` of card 0, alone, of which `room` are announced.
  bool Holds(uint64_t bytes, uint64_t room) {
    return Session::Current()->account(0).Own().bytes == bytes && tenant_.UsedBytes() == bytes &&
           ledger::RoomBytes(tenant_.usage(), 0) == room;
  }

  // A process that took `bytes` of card 0 and then stands still until it is killed.
  pid_t StartHolder(uint64_t bytes, bool (CardAccount::*take)(uint64_t) = &CardAccount::Charge) {
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    const pid_t holder = StartChild([&] {
      const bool charged = (Session::Current()->account(0).*take)(bytes);
      if (write(ready[1], charged ? "+" : "-", 1) != 1) return false;
      pause();
      return true;
    });
    char answer = 0;
    close(ready[1]);
    EXPECT_EQ(read(ready[0], &answer, 1), 1);
    EXPECT_EQ(answer, '+');
    close(ready[0]);
    return holder;
  }

  TenantDir tenant_{{{.uuid = kUuidA, .memory_limit = 100 * kMiB},
                     {.uuid = kUuidB, .memory_limit = abi::kNoLimit}}};
};

TEST_F(SessionTest, IsNotThereWithoutATenant) {
  unsetenv(abi::kEnvTenantDir);
  EXPECT_EQ(InChild([] { return Session::Current() == nullptr; }), 0);
  setenv(abi::kEnvTenantDir, "", 1);
  EXPECT_EQ(InChild([] { return Session::Current() == nullptr; }), 0);
}

TEST_F(SessionTest, ChargesUpToTheLimitAndNotAByteMore) {
  EXPECT_EQ(InChild([this] {
              CardAccount& account = Session::Current()->account(0);
              return account.Charge(100 * kMiB) && !account.Charge(1) && Holds(100 * kMiB, 0);
            }),
            0);
  EXPECT_EQ(tenant_.Refusals(), 1u);
}

TEST_F(SessionTest, GivesBackWhatItCharged) {
  EXPECT_EQ(InChild([this] {
              CardAccount& account = Session::Current()->account(0);
              if (!account.Charge(60 * kMiB)) return false;
              account.GiveBack(60 * kMiB);
              return account.Charge(100 * kMiB) && Holds(100 * kMiB, 0);
            }),
            0);
}

TEST_F(SessionTest, CountsWhereThereIsNoLimit) {
  EXPECT_EQ(InChild([] {
              CardAccount& account = Session::Current()->account(1);
              return !account.IsLimited() && account.Charge(5 * kMiB) &&
                     account.UsedBytes() == 5 * kMiB;
            }),
            0);
}

TEST_F(SessionTest, ARefusalWaitsForRoomThatMayBeGivenBack) {
  EXPECT_EQ(InChild([] {
              CardAccount& account = Session::Current()->account(0);
              if (!account.TryHoldRoom(90 * kMiB)) return false;
              std::future<bool> charged =
                  std::async(std::launch::async, [&] { return account.Charge(20 * kMiB); });
              const bool waits =
                  charged.wait_for(std::chrono::milliseconds(50)) == std::future_status::timeout;
              account.GiveBack(80 * kMiB);
              account.EndRoom(90 * kMiB);
              return waits && charged.get() && account.UsedBytes() == 30 * kMiB;
            }),
            0);
  EXPECT_EQ(tenant_.Refusals(), 0u);
}

// A driver that compiles code takes seconds.
TEST_F(SessionTest, ARefusalWaitsAsLongAsTheCallThatHoldsTheRoomIsInFlight) {
  EXPECT_EQ(InChild([] {
              CardAccount& account = Session::Current()->account(0);
              if (!account.TryHoldRoom(100 * kMiB)) return false;
              std::future<bool> charged =
                  std::async(std::launch::async, [&] { return account.Charge(1); });
              const bool waits =
                  charged.wait_for(std::chrono::milliseconds(2500)) == std::future_status::timeout;
              account.GiveBack(100 * kMiB);
              account.EndRoom(100 * kMiB);
              return waits && charged.get();
            }),
            0);
  EXPECT_EQ(tenant_.Refusals(), 0u);
}

TEST_F(SessionTest, ARefusalDoesNotWaitForTheRoomOfADeadProcess) {
  const pid_t holder = StartHolder(100 * kMiB, &CardAccount::TryHoldRoom);
  EXPECT_EQ(InChild([holder] {
              CardAccount& account = Session::Current()->account(0);
              std::future<bool> charged =
                  std::async(std::launch::async, [&] { return account.Charge(100 * kMiB); });
              const bool waits =
                  charged.wait_for(std::chrono::milliseconds(50)) == std::future_status::timeout;
              kill(holder, SIGKILL);
              return waits && charged.get();
            }),
            0);
  AwaitChild(holder);
}

TEST_F(SessionTest, ARefusalDoesNotWaitForRoomThatWouldNotDo) {
  EXPECT_EQ(InChild([] {
              CardAccount& account = Session::Current()->account(0);
              const auto start = std::chrono::steady_clock::now();
              const bool refused = account.Charge(30 * kMiB) && account.TryHoldRoom(60 * kMiB) &&
                                   !account.Charge(71 * kMiB);
              return refused && std::chrono::steady_clock::now() - start < std::chrono::seconds(1);
            }),
            0);
  EXPECT_EQ(tenant_.Refusals(), 1u);
}

TEST_F(SessionTest, RoomIsNoPartOfThePeakAndWhatRemainsOfItIs) {
  EXPECT_EQ(InChild([] {
              CardAccount& account = Session::Current()->account(0);
              if (!account.TryHoldRoom(60 * kMiB) || !account.Charge(10 * kMiB)) return false;
              account.GiveBack(55 * kMiB);
              account.EndRoom(60 * kMiB);
              return true;
            }),
            0);
  EXPECT_EQ(tenant_.usage().cards[0].peak_bytes, 15 * kMiB);
}

// As another thread charges between the two steps of who holds room.
TEST_F(SessionTest, ThePeakIsRightOnceRoomIsReturnedThatWasAnnouncedAndNotYetReserved) {
  EXPECT_EQ(InChild([] {
              Session& session = *Session::Current();
              CardAccount& account = session.account(0);
              ledger::AnnounceRoom(session.usage(), 0, session.slot(), 60 * kMiB);
              if (!account.Charge(10 * kMiB)) return false;
              ledger::WithdrawRoom(session.usage(), 0, session.slot(), 60 * kMiB);
              const bool holds = account.TryHoldRoom(20 * kMiB);
              account.ReturnRoom(20 * kMiB);
              return holds;
            }),
            0);
  EXPECT_EQ(tenant_.usage().cards[0].peak_bytes, 10 * kMiB);
}

TEST_F(SessionTest, FindsTheAccountOfADeviceByItsUuid) {
  EXPECT_EQ(InChild([] {
              Session& session = *Session::Current();
              testing::g_current_device = 1;
              return session.AccountOf(0).card() == 1 && session.AccountOf(1).card() == 0 &&
                     session.AccountOfCurrentContext() == &session.AccountOf(1);
            }),
            0);
}

TEST_F(SessionTest, RefusesEverythingOnACardThatWasNotGranted) {
  EXPECT_EQ(InChild([] {
              CardAccount& account = Session::Current()->AccountOf(2);
              return account.LimitBytes() == 0 && !account.Charge(1) && account.Charge(0);
            }),
            0);
}

TEST_F(SessionTest, HasNoAccountWithoutAContext) {
  testing::g_current_device = -1;
  EXPECT_EQ(InChild([] { return Session::Current()->AccountOfCurrentContext() == nullptr; }), 0);
  testing::g_current_device = 0;
}

TEST_F(SessionTest, FollowsALimitThatChanges) {
  const pid_t holder = StartHolder(40 * kMiB);
  tenant_.SetLimit(0, 50 * kMiB);
  EXPECT_EQ(InChild([] { return !Session::Current()->account(0).Charge(20 * kMiB); }), 0);
  tenant_.SetLimit(0, 60 * kMiB);
  EXPECT_EQ(InChild([] { return Session::Current()->account(0).Charge(20 * kMiB); }), 0);
  kill(holder, SIGKILL);
  AwaitChild(holder);
}

TEST_F(SessionTest, TakesBackWhatAKilledProcessHeldAtTheNextRefusal) {
  const pid_t holder = StartHolder(100 * kMiB);
  EXPECT_EQ(InChild([] { return !Session::Current()->account(0).Charge(1); }), 0);
  kill(holder, SIGKILL);
  AwaitChild(holder);
  EXPECT_EQ(InChild([] { return Session::Current()->account(0).Charge(100 * kMiB); }), 0);
}

TEST_F(SessionTest, TakesBackWhatAProcessHeldThatIsDeadButNotCollected) {
  const pid_t holder = StartHolder(100 * kMiB);
  kill(holder, SIGKILL);
  siginfo_t ignored;
  waitid(P_PID, static_cast<id_t>(holder), &ignored, WEXITED | WNOWAIT);  // stays a zombie
  EXPECT_EQ(InChild([] { return Session::Current()->account(0).Charge(100 * kMiB); }), 0);
  AwaitChild(holder);
}

TEST_F(SessionTest, KeepsTheBytesOfAProcessThatClosedAllDescriptors) {
  EXPECT_EQ(InChild([] {
              Session& session = *Session::Current();
              if (!session.account(0).Charge(100 * kMiB)) return false;
              for (int fd = 0; fd < 2048; ++fd) close(fd);
              return InChild([] { return !Session::Current()->account(0).Charge(1); }) == 0 &&
                     session.account(0).UsedBytes() == 100 * kMiB;
            }),
            0);
}

// What it prints must not go into the usage file.
TEST_F(SessionTest, LeavesTheStandardDescriptorsOfAProgramThatHasNone) {
  EXPECT_EQ(InChild([] {
              const rlimit few{.rlim_cur = 256, .rlim_max = 256};
              if (setrlimit(RLIMIT_NOFILE, &few) != 0) return false;
              for (const int fd : {0, 1, 2}) close(fd);
              if (!Session::Current()->account(0).Charge(kMiB)) return false;
              for (const int fd : {0, 1, 2}) {
                if (fcntl(fd, F_GETFD) >= 0) return false;
              }
              return true;
            }),
            0);
}

TEST_F(SessionTest, TakesItsLockAgainAfterTheProgramClosedTheDescriptor) {
  EXPECT_EQ(InChild([this] {
              Session& session = *Session::Current();
              for (int fd = 3; fd < 2048; ++fd) close(fd);
              session.Sweep();
              const int fd = open(tenant_.usage_file().c_str(), O_RDWR);
              return LockSlot(fd, session.slot()) == -EAGAIN;
            }),
            0);
}

TEST_F(SessionTest, EntersItsBytesAgainWhenItWasTakenForDead) {
  EXPECT_EQ(InChild([this] {
              CardAccount& account = Session::Current()->account(0);
              if (!account.Charge(30 * kMiB)) return false;
              TakeForDead();
              return tenant_.UsedBytes() == 0 && account.Charge(10 * kMiB) && Holds(40 * kMiB, 0);
            }),
            0);
}

TEST_F(SessionTest, EntersRoomAgainThatItHeldWhenItWasTakenForDead) {
  EXPECT_EQ(InChild([this] {
              CardAccount& account = Session::Current()->account(0);
              if (!account.Charge(30 * kMiB) || !account.TryHoldRoom(20 * kMiB)) return false;
              TakeForDead();
              if (!account.Charge(10 * kMiB) || !Holds(60 * kMiB, 20 * kMiB)) return false;
              account.ReturnRoom(20 * kMiB);
              return Holds(40 * kMiB, 0);
            }),
            0);
}

TEST_F(SessionTest, ReturnsRoomOfASlotThatWasTakenAway) {
  EXPECT_EQ(InChild([this] {
              CardAccount& account = Session::Current()->account(0);
              if (!account.Charge(30 * kMiB) || !account.TryHoldRoom(20 * kMiB)) return false;
              TakeForDead();
              account.ReturnRoom(20 * kMiB);
              return Holds(30 * kMiB, 0);
            }),
            0);
}

// As exec leaves it where the mark of a program tells nothing: the same process, and no lock.
TEST_F(SessionTest, TakesBackWhatTheProgramBeforeItHeldThatCannotBeToldApart) {
  EXPECT_EQ(InChild([this] {
              const ledger::OwnerIdentity self = IdentifySelf();
              if (ledger::TakeSlot(tenant_.usage(), 3, self) == 0) return false;
              ledger::CardLedger former(tenant_.usage(), 0);
              if (former.Reserve(3, 100 * kMiB, abi::kNoLimit) != ledger::Verdict::kGranted)
                return false;
              Session& session = *Session::Current();
              return tenant_.UsedBytes() == 0 && session.account(0).Charge(100 * kMiB);
            }),
            0);
}

TEST_F(SessionTest, LeavesASlotOfItsOwnProcessAloneWhoseLockIsHeld) {
  EXPECT_EQ(InChild([this] {
              const ledger::OwnerIdentity self = IdentifySelf();
              const int fd = open(tenant_.usage_file().c_str(), O_RDWR);
              if (ledger::TakeSlot(tenant_.usage(), 3, self) == 0 || LockSlot(fd, 3) != 0)
                return false;
              ledger::CardLedger former(tenant_.usage(), 0);
              if (former.Reserve(3, 100 * kMiB, abi::kNoLimit) != ledger::Verdict::kGranted)
                return false;
              return !Session::Current()->account(0).Charge(1) && tenant_.UsedBytes() == 100 * kMiB;
            }),
            0);
}

TEST_F(SessionTest, OfAForkChildIsItsOwn) {
  EXPECT_EQ(InChild([] {
              Session& session = *Session::Current();
              const uint32_t slot = session.slot();
              if (!session.account(0).Charge(10 * kMiB)) return false;
              return InChild([slot] {
                       Session& own = *Session::Current();
                       return own.slot() != slot && own.account(0).Own().bytes == 0 &&
                              own.account(0).UsedBytes() == 10 * kMiB;
                     }) == 0;
            }),
            0);
}

TEST_F(SessionTest, OfAChildOfARawCloneIsItsOwn) {
  EXPECT_EQ(InChild([] {
              const uint32_t slot = Session::Current()->slot();
              const auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
              if (child == 0) _exit(Session::Current()->slot() != slot ? 0 : 1);
              return AwaitChild(child) == 0;
            }),
            0);
}

TEST_F(SessionTest, OfAParentThatDiedIsTakenBackThoughAForkChildLivesOn) {
  int gate[2];
  ASSERT_EQ(pipe(gate), 0);
  EXPECT_EQ(InChild([&] {
              if (!Session::Current()->account(0).Charge(100 * kMiB)) return false;
              if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) ==
                  0) {  // keeps the descriptor, and so the lock
                close(gate[1]);
                char wait;
                (void)!read(gate[0], &wait, 1);
                _exit(0);
              }
              return true;
            }),
            0);
  EXPECT_EQ(InChild([] { return Session::Current()->account(0).Charge(100 * kMiB); }), 0);
  close(gate[1]);
  close(gate[0]);
}

// Of observers in another pid namespace: only the lock tells.
class ForeignNamespaceTest : public SessionTest {
 protected:
  // The slot's owner as somebody from elsewhere wrote it.
  void PretendFromElsewhere(uint32_t slot) {
    auto& owner = tenant_.usage().slots[slot].owner;
    owner.pid_namespace = 12345;
    owner.pid = 1;
  }
};

TEST_F(ForeignNamespaceTest, AProcessThatHoldsItsLockIsAlive) {
  const pid_t holder = StartHolder(100 * kMiB);
  PretendFromElsewhere(0);
  EXPECT_EQ(InChild([] { return !Session::Current()->account(0).Charge(1); }), 0);
  kill(holder, SIGKILL);
  AwaitChild(holder);
}

TEST_F(ForeignNamespaceTest, AKilledProcessIsToldByItsLock) {
  const pid_t holder = StartHolder(100 * kMiB);
  PretendFromElsewhere(0);
  kill(holder, SIGKILL);
  AwaitChild(holder);
  EXPECT_EQ(InChild([] { return Session::Current()->account(0).Charge(100 * kMiB); }), 0);
}

TEST_F(ForeignNamespaceTest, AForkChildDoesNotKeepItsParentsLock) {
  int gate[2], forked[2];
  ASSERT_EQ(pipe(gate), 0);
  ASSERT_EQ(pipe(forked), 0);
  EXPECT_EQ(InChild([&] {
              if (!Session::Current()->account(0).Charge(100 * kMiB)) return false;
              char byte = 0;
              if (fork() == 0) {
                close(gate[1]);
                (void)!write(forked[1], &byte, 1);
                (void)!read(gate[0], &byte, 1);
                _exit(0);
              }
              return read(forked[0], &byte, 1) == 1;  // fork() has returned there
            }),
            0);
  PretendFromElsewhere(0);
  EXPECT_EQ(InChild([] { return Session::Current()->account(0).Charge(100 * kMiB); }), 0);
  for (const int end : {gate[0], gate[1], forked[0], forked[1]}) close(end);
}

// The same with a real namespace: a process that the observer knows by another pid.
TEST_F(SessionTest, OfAProcessInAnotherPidNamespaceEndsWithIt) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t gate = StartChild([&] {
    if (unshare(CLONE_NEWPID) != 0) return write(ready[1], "?", 1) == 1;
    return InChild([&] {
             prctl(PR_SET_PDEATHSIG, SIGKILL);
             const bool charged =
                 getpid() == 1 && Session::Current()->account(0).Charge(100 * kMiB);
             if (write(ready[1], charged ? "+" : "-", 1) != 1) return false;
             pause();
             return true;
           }) == 0;
  });
  char answer = 0;
  ASSERT_EQ(read(ready[0], &answer, 1), 1);
  if (answer == '?') {
    AwaitChild(gate);
    GTEST_SKIP() << "may not make a pid namespace";
  }
  EXPECT_EQ(answer, '+');
  EXPECT_EQ(InChild([] { return !Session::Current()->account(0).Charge(1); }), 0);
  kill(gate, SIGKILL);  // and the process in the namespace with it
  AwaitChild(gate);
  close(ready[1]);
  ASSERT_EQ(read(ready[0], &answer, 1), 0);  // its end of the pipe is closed: it is gone
  EXPECT_EQ(InChild([] { return Session::Current()->account(0).Charge(100 * kMiB); }), 0);
}

// Where the clock is a day ahead, for all children from now on.
bool MakeTimeNamespace() {
  constexpr int kNewTimeNamespace = 0x80;  // CLONE_NEWTIME, Linux 5.6
  constexpr char kOffset[] = "boottime 86400 0";
  if (unshare(kNewTimeNamespace) != 0) return false;
  const int offsets = open("/proc/self/timens_offsets", O_WRONLY);
  const bool is_set = write(offsets, kOffset, sizeof(kOffset) - 1) > 0;
  close(offsets);
  return is_set;
}

// Which tells another start time of a process than the one it was entered with.
TEST_F(SessionTest, OfAProcessInAnotherTimeNamespaceEndsWithIt) {
  constexpr int kMayNotMakeOne = 77;
  const int status = InChild([&] {
    const pid_t outside = StartHolder(50 * kMiB);
    const bool has_other = MakeTimeNamespace();
    const pid_t inside = StartHolder(50 * kMiB);
    const auto is_full = [] { return !Session::Current()->account(0).Charge(1); };
    const bool are_alive = InChild(is_full) == 0 && is_full();
    for (const pid_t holder : {outside, inside}) {
      kill(holder, SIGKILL);
      AwaitChild(holder);
    }
    if (!has_other) _exit(kMayNotMakeOne);
    return are_alive && Session::Current()->account(0).Charge(100 * kMiB);
  });
  if (WEXITSTATUS(status) == kMayNotMakeOne) GTEST_SKIP() << "may not make a time namespace";
  EXPECT_EQ(status, 0);
}

// Tenant directories that cannot be used.
class UnusableTenantTest : public SessionTest {
 protected:
  static bool IsClosedAndRefuses() {
    Session* session = Session::Current();
    return session != nullptr && session->IsClosed() && !session->account(0).Charge(1) &&
           !session->AccountOf(0).Charge(1);
  }
};

TEST_F(UnusableTenantTest, IsClosedWhenItIsNotThere) {
  setenv(abi::kEnvTenantDir, "/nonexistent/tenant", 1);
  EXPECT_EQ(InChild(IsClosedAndRefuses), 0);
}

TEST_F(UnusableTenantTest, IsClosedWhenAFileIsTruncated) {
  ASSERT_EQ(truncate(tenant_.usage_file().c_str(), 4096), 0);
  EXPECT_EQ(InChild(IsClosedAndRefuses), 0);
}

TEST_F(UnusableTenantTest, IsClosedWhenAFileHasAnotherVersion) {
  tenant_.limits().major = 2;
  EXPECT_EQ(InChild(IsClosedAndRefuses), 0);
  tenant_.limits().major = abi::kLimitsMajor;
  tenant_.usage().major = 2;
  EXPECT_EQ(InChild(IsClosedAndRefuses), 0);
}

TEST_F(UnusableTenantTest, IsClosedWhenItHasMoreCardsThanAPageHolds) {
  tenant_.limits().card_count = abi::kMaxCards + 1;
  EXPECT_EQ(InChild(IsClosedAndRefuses), 0);
}

TEST_F(UnusableTenantTest, IsClosedWhenAFileIsAPipe) {
  ASSERT_EQ(unlink(tenant_.usage_file().c_str()), 0);
  ASSERT_EQ(mkfifo(tenant_.usage_file().c_str(), 0666), 0);
  EXPECT_EQ(InChild(IsClosedAndRefuses), 0);
}

TEST_F(UnusableTenantTest, IsClosedWhenAllSlotsAreTaken) {
  ledger::OwnerIdentity self = IdentifySelf();
  for (uint32_t slot = 0; slot < abi::kMaxSlots; ++slot) {
    ASSERT_NE(ledger::TakeSlot(tenant_.usage(), slot, self), 0u);
  }
  EXPECT_EQ(InChild(IsClosedAndRefuses), 0);
}

}  // namespace
}  // namespace warpshare::interposer

// What a process leaves to the others of its tenant, and when it is taken for dead.
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "interposer/session/liveness.h"
#include "session_case.h"

namespace warpshare::interposer {

namespace {

using LivenessTest = SessionTest;

TEST_F(LivenessTest, TakesBackWhatAKilledProcessHeldAtTheNextRefusal) {
  const pid_t holder = StartHolder(100 * kMiB);
  EXPECT_EQ(InChild([] { return !Session::Current()->account(0).Charge(1); }), 0);
  kill(holder, SIGKILL);
  AwaitChild(holder);
  EXPECT_EQ(InChild([] { return Session::Current()->account(0).Charge(100 * kMiB); }), 0);
}

TEST_F(LivenessTest, TakesBackWhatAProcessHeldThatIsDeadButNotCollected) {
  const pid_t holder = StartHolder(100 * kMiB);
  kill(holder, SIGKILL);
  siginfo_t ignored;
  waitid(P_PID, static_cast<id_t>(holder), &ignored, WEXITED | WNOWAIT);  // stays a zombie
  EXPECT_EQ(InChild([] { return Session::Current()->account(0).Charge(100 * kMiB); }), 0);
  AwaitChild(holder);
}

TEST_F(LivenessTest, KeepsTheBytesOfAProcessThatClosedAllDescriptors) {
  EXPECT_EQ(InChild([] {
              Session& session = *Session::Current();
              if (!session.account(0).Charge(100 * kMiB)) return false;
              for (int fd = 0; fd < 2048; ++fd) close(fd);
              return InChild([] { return !Session::Current()->account(0).Charge(1); }) == 0 &&
                     session.account(0).UsedBytes() == 100 * kMiB;
            }),
            0);
}

TEST_F(LivenessTest, TakesItsLockAgainAfterTheProgramClosedTheDescriptor) {
  EXPECT_EQ(InChild([this] {
              Session& session = *Session::Current();
              for (int fd = 3; fd < 2048; ++fd) close(fd);
              session.Sweep();
              const int fd = open(tenant_.usage_file().c_str(), O_RDWR);
              return LockSlot(fd, session.slot()) == -EAGAIN;
            }),
            0);
}

TEST_F(LivenessTest, EntersItsBytesAgainWhenItWasTakenForDead) {
  EXPECT_EQ(InChild([this] {
              CardAccount& account = Session::Current()->account(0);
              if (!account.Charge(30 * kMiB)) return false;
              TakeForDead();
              return tenant_.UsedBytes() == 0 && account.Charge(10 * kMiB) && Holds(40 * kMiB, 0);
            }),
            0);
}

TEST_F(LivenessTest, EntersRoomAgainThatItHeldWhenItWasTakenForDead) {
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

TEST_F(LivenessTest, ReturnsRoomOfASlotThatWasTakenAway) {
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
TEST_F(LivenessTest, TakesBackWhatTheProgramBeforeItHeldThatCannotBeToldApart) {
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

TEST_F(LivenessTest, LeavesASlotOfItsOwnProcessAloneWhoseLockIsHeld) {
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

TEST_F(LivenessTest, OfAForkChildIsItsOwn) {
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

TEST_F(LivenessTest, OfAChildOfARawCloneIsItsOwn) {
  EXPECT_EQ(InChild([] {
              const uint32_t slot = Session::Current()->slot();
              const auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
              if (child == 0) _exit(Session::Current()->slot() != slot ? 0 : 1);
              return AwaitChild(child) == 0;
            }),
            0);
}

TEST_F(LivenessTest, OfAParentThatDiedIsTakenBackThoughAForkChildLivesOn) {
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
TEST_F(LivenessTest, OfAProcessInAnotherPidNamespaceEndsWithIt) {
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
TEST_F(LivenessTest, OfAProcessInAnotherTimeNamespaceEndsWithIt) {
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
}  // namespace

}  // namespace warpshare::interposer

#include "interposer/session/session.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <future>

#include "few_functions.h"
#include "interposer/session/liveness.h"
#include "session_case.h"

namespace warpshare::interposer {

namespace {

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

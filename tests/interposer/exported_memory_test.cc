// Memory that a process exports, as the tenant's account has it: in a slot of its own, for as long
// as anybody holds that.
#include <fcntl.h>

#include "interposer/session/liveness.h"
#include "ledger/slot_table.h"
#include "session_case.h"

namespace warpshare::interposer {

namespace {

class ExportedMemoryTest : public SessionTest {
 protected:
  static ledger::MemoryName Name(uint8_t serial = 1) {
    return {.pid = static_cast<uint32_t>(getpid()),
            .pid_namespace = Session::Current()->pid_namespace(),
            .serial = serial,
            .common = 0};
  }
  uint64_t Part(uint32_t slot) { return ledger::CardLedger(tenant_.usage(), 0).PartBytes(slot); }
  // As the tenant's other processes do.
  void Sweep() {
    EXPECT_EQ(InChild([] {
                Session::Current()->Sweep();
                return true;
              }),
              0);
  }
  // As daemons do: the session's file is among them.
  static void CloseDescriptors() {
    for (int fd = 3; fd < 1024; ++fd) close(fd);
  }
};

TEST_F(ExportedMemoryTest, IsCountedOnceAndTheProcesssOwn) {
  EXPECT_EQ(InChild([this] {
              Session& session = *Session::Current();
              if (!session.account(0).Charge(60 * kMiB)) return false;
              const ledger::MemorySlot memory = session.MoveOut(0, 20 * kMiB, Name());
              if (!memory || !Holds(60 * kMiB, 0)) return false;
              if (Part(session.slot()) != 40 * kMiB || Part(memory.slot) != 20 * kMiB) return false;
              session.Sweep();
              if (!Holds(60 * kMiB, 0)) return false;
              session.Leave(memory);
              return Holds(40 * kMiB, 0);
            }),
            0);
}

TEST_F(ExportedMemoryTest, ThatNobodyElseHoldsGoesWithItsMaker) {
  EXPECT_EQ(InChild([] {
              Session& session = *Session::Current();
              return session.account(0).Charge(60 * kMiB) &&
                     static_cast<bool>(session.MoveOut(0, 20 * kMiB, Name()));
            }),
            0);
  Sweep();
  EXPECT_EQ(tenant_.UsedBytes(), 0u);
}

TEST_F(ExportedMemoryTest, StaysWithWhoHasJoined) {
  EXPECT_EQ(InChild([this] {
              int made[2];
              int go[2];
              if (pipe(made) != 0 || pipe(go) != 0) return false;
              const pid_t maker = StartChild([&] {
                Session& session = *Session::Current();
                const bool is_moved = session.account(0).Charge(60 * kMiB) &&
                                      static_cast<bool>(session.MoveOut(0, 20 * kMiB, Name()));
                const ledger::MemoryName name = Name();
                char word = 0;
                return is_moved && write(made[1], &name, sizeof(name)) == sizeof(name) &&
                       read(go[0], &word, 1) == 1;
              });
              ledger::MemoryName name{};
              if (read(made[0], &name, sizeof(name)) != sizeof(name)) return false;
              Session& session = *Session::Current();
              const ledger::MemorySlot memory = ledger::FindMemory(session.usage(), name);
              if (!memory || !session.Join(memory) || !session.Join(memory)) return false;
              if (write(go[1], "x", 1) != 1 || AwaitChild(maker) != 0) return false;
              session.Sweep();
              if (tenant_.UsedBytes() != 20 * kMiB || session.account(0).Own().bytes != 0)
                return false;
              session.Leave(memory);
              return tenant_.UsedBytes() == 0;
            }),
            0);
}

TEST_F(ExportedMemoryTest, IsNotJoinedWhenItIsGone) {
  EXPECT_EQ(InChild([this] {
              Session& session = *Session::Current();
              if (!session.account(0).Charge(20 * kMiB)) return false;
              const ledger::MemorySlot memory = session.MoveOut(0, 20 * kMiB, Name());
              session.Leave(memory);
              return !session.Join(memory) && Holds(0, 0);
            }),
            0);
}

TEST_F(ExportedMemoryTest, HasSoManySlotsAndNoMore) {
  EXPECT_EQ(InChild([this] {
              Session& session = *Session::Current();
              if (!session.account(0).Charge(100 * kMiB)) return false;
              for (uint32_t i = 0; i < ledger::kMemorySlots; ++i) {
                const ledger::MemoryName name{
                    .pid = 0, .pid_namespace = 0, .serial = 0, .common = i + 1};
                if (!session.MoveOut(0, 1, name)) return false;
              }
              return !session.MoveOut(0, 1, Name()) && Holds(100 * kMiB, 0);
            }),
            0);
}

// The mapping keeps the file open, and with it the locks, which nobody can end any more.
TEST_F(ExportedMemoryTest, StaysCountedToTheEndIfTheProgramClosedTheDescriptor) {
  EXPECT_EQ(InChild([this] {
              Session& session = *Session::Current();
              if (!session.account(0).Charge(60 * kMiB)) return false;
              const ledger::MemorySlot memory = session.MoveOut(0, 20 * kMiB, Name());
              CloseDescriptors();
              Sweep();
              if (!Holds(60 * kMiB, 0)) return false;
              session.Leave(memory);
              Sweep();
              return session.account(0).Own().bytes == 40 * kMiB &&
                     tenant_.UsedBytes() == 60 * kMiB;
            }),
            0);
  Sweep();
  EXPECT_EQ(tenant_.UsedBytes(), 0u);
}

TEST_F(ExportedMemoryTest, IsEnteredOnceByAProcessThatWasTakenForDead) {
  EXPECT_EQ(InChild([this] {
              Session& session = *Session::Current();
              if (!session.account(0).Charge(60 * kMiB)) return false;
              const ledger::MemorySlot memory = session.MoveOut(0, 20 * kMiB, Name());
              TakeForDead();
              if (!session.account(0).Charge(1) || !Holds(60 * kMiB + 1, 0)) return false;
              session.Leave(memory);
              return Holds(40 * kMiB + 1, 0);
            }),
            0);
}

}  // namespace

}  // namespace warpshare::interposer

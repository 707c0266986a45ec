#include "interposer/accounts/export_mark.h"

#include <fcntl.h>

#include "interposer/guest/kernel.h"
#include "interposer/session/session.h"

namespace warpshare::interposer {

namespace {

// <fcntl.h> has these for GNU sources only.
constexpr int kSetSignal = 10;
constexpr int kGetSignal = 11;
constexpr int kSetOwner = 15;
constexpr int kGetOwner = 16;
struct FileOwner {
  int type;
  int pid;
};
constexpr int kProcess = 1;

bool SetOwner(int fd, int pid) {
  const FileOwner owner{.type = kProcess, .pid = pid};
  return guest::Control(fd, kSetOwner, guest::Word(&owner)) >= 0;
}

}  // namespace

bool OwnersMayHide() {
  Session* session = Session::Current();
  if (session == nullptr || session->IsClosed()) return true;
  session->Sweep();
  const abi::UsagePageV1& usage = session->usage();
  const uint64_t here = usage.slots[session->slot()].owner.pid_namespace;
  const uint32_t ceiling = usage.slot_ceiling;
  for (uint32_t slot = 0; slot < ceiling && slot < abi::kProcessSlots; ++slot) {
    const abi::SlotOwner& owner = usage.slots[slot].owner;
    if (owner.generation % 2 != 0 && owner.pid_namespace != here) return true;
  }
  return here == 0;
}

void WriteExportMark(int fd, uint8_t serial, int pid) {
  (void)SetOwner(fd, pid);
  guest::Control(fd, kSetSignal, serial);
}

ExportMark ReadExportMark(int fd) {
  using Owner = ExportMark::Owner;
  const int serial = guest::Control(fd, kGetSignal, 0);
  FileOwner owner{};
  if (serial <= 0 || serial > kLastSerial ||
      guest::Control(fd, kGetOwner, guest::Word(&owner)) < 0 || owner.type > kProcess) {
    return {.owner = Owner::kUnknown, .serial = 0, .pid = 0};
  }
  ExportMark mark{.owner = Owner::kOther,
                  .serial = static_cast<uint8_t>(serial),
                  .pid = static_cast<uint32_t>(owner.pid)};
  if (owner.pid == guest::ProcessId()) {
    mark.owner = Owner::kSelf;
  } else if (owner.pid == 0) {
    mark.owner = Owner::kNobody;
  }
  return mark;
}

void DisownExport(int fd, uint8_t serial) {
  const ExportMark mark = ReadExportMark(fd);
  if (mark.owner == ExportMark::Owner::kSelf && mark.serial == serial) SetOwner(fd, 0);
}

}  // namespace warpshare::interposer

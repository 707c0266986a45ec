// What this process writes on a file descriptor under which memory leaves it, for whoever imports
// it, in this process or another: whose charge the memory is. A driver's descriptors do not tell:
// they are all of one device file, and their numbers come back.
//
// It is the open file's owner and signal (fcntl F_SETOWN, F_SETSIG), which mean nothing until the
// program asks for signals of that file. All copies of the descriptor share them, in whatever
// process; the kernel takes the owner off when that process is gone.
#pragma once

#include <cstdint>

namespace warpshare::interposer {

struct ExportMark {
  enum class Owner : uint8_t {
    kUnknown,  // not marked: exported by a process that is no tenant's
    kSelf,
    kOther,   // a process that lives
    kNobody,  // marked, and the owner is gone or has let go of the memory; or OwnersMayHide
  };
  Owner owner;
  uint8_t serial;  // tells the owner's exports apart: 1 to kLastSerial
  uint32_t pid;    // of the owner, if that is another process
};

inline constexpr uint8_t kLastSerial = 64;  // the last signal

// Whether a process of the tenant lives in another pid namespace: as an owner it is not shown here.
bool OwnersMayHide();

// `pid` may be gone: then it is nobody's, of that serial.
void WriteExportMark(int fd, uint8_t serial, int pid);
ExportMark ReadExportMark(int fd);
// Makes it nobody's, if the descriptor still is the one that was marked so.
void DisownExport(int fd, uint8_t serial);

}  // namespace warpshare::interposer

// A segment whose descriptor goes from one process to another through a socket, as NCCL and
// frameworks pass theirs. It is charged once, until both have let go of it.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "tests/patterns/child.h"
#include "tests/patterns/patterns.h"

namespace warpshare::patterns {

namespace {

constexpr unsigned char kMark = 0x3c;
constexpr size_t kBytes = 8 * kMiB;  // of whatever granularity cards have
constexpr auto kDescriptor = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

struct Message {
  explicit Message(int descriptor) {
    bytes = {.iov_base = &letter, .iov_len = 1};
    header.msg_iov = &bytes;
    header.msg_iovlen = 1;
    header.msg_control = room;
    header.msg_controllen = sizeof room;
    cmsghdr* part = CMSG_FIRSTHDR(&header);
    *part = {.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    std::memcpy(CMSG_DATA(part), &descriptor, sizeof descriptor);
  }

  char letter = 'd';
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
  iovec bytes{};
  msghdr header{};
};

bool Send(int socket, int descriptor) {
  const Message message(descriptor);
  return sendmsg(socket, &message.header, 0) == 1;
}

// -1: nothing came.
int Receive(int socket) {
  Message message(-1);
  int descriptor = -1;
  if (recvmsg(socket, &message.header, 0) != 1) return -1;
  const cmsghdr* part = CMSG_FIRSTHDR(&message.header);
  if (part != nullptr) std::memcpy(&descriptor, CMSG_DATA(part), sizeof descriptor);
  return descriptor;
}

bool Tell(int socket) { return write(socket, "!", 1) == 1; }
bool IsTold(int socket) {
  char letter = 0;
  return read(socket, &letter, 1) == 1;
}

struct Mapped {
  CUmemGenericAllocationHandle handle;
  CUdeviceptr address;
};

Outcome Map(const Tenant& tenant, Mapped& mapped) {
  const DriverApi& api = tenant.api;
  const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, tenant.device},
                               CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  WANT_OK(api.cuMemAddressReserve(&mapped.address, kBytes, 0, 0, 0));
  WANT_OK(api.cuMemMap(mapped.address, kBytes, 0, mapped.handle, 0));
  WANT_OK(api.cuMemSetAccess(mapped.address, kBytes, &access, 1));
  return {};
}

Outcome LetGo(const Tenant& tenant, const Mapped& mapped) {
  const DriverApi& api = tenant.api;
  WANT_OK(api.cuMemUnmap(mapped.address, kBytes));
  WANT_OK(api.cuMemAddressFree(mapped.address, kBytes));
  WANT_OK(api.cuMemRelease(mapped.handle));
  return {};
}

Outcome MakeAndExport(const Tenant& tenant, Mapped& segment, int& descriptor) {
  const DriverApi& api = tenant.api;
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = kDescriptor;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, tenant.device};
  WANT_OK(api.cuMemCreate(&segment.handle, kBytes, &properties, 0));
  if (Outcome outcome = Map(tenant, segment); !outcome.empty()) return outcome;
  WANT_OK(api.cuMemsetD8(segment.address, kMark, kBytes));
  WANT_OK(api.cuCtxSynchronize());
  WANT_OK(api.cuMemExportToShareableHandle(&descriptor, segment.handle, kDescriptor, 0));
  return {};
}

// It stays on the card, and the tenant's.
Outcome LetGoToChild(const Tenant& tenant, const Mapped& segment) {
  const size_t before = FreeBytes(tenant);
  if (Outcome outcome = LetGo(tenant, segment); !outcome.empty()) return outcome;
  WANT_TRUE(!tenant.limited || FreeBytes(tenant) == before);
  return {};
}

}  // namespace

// This process lets go of it while the child has it mapped, and the child thereafter.
Outcome SegmentOfAnotherProcess(Tenant& tenant) {
  int sockets[2];
  WANT_TRUE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0);
  WANT_TRUE(fcntl(sockets[1], F_SETFD, 0) == 0);
  const pid_t child = StartChild(tenant, "map_segment", std::to_string(sockets[1]));
  close(sockets[1]);
  Mapped segment{};
  int descriptor = -1;
  Outcome outcome = MakeAndExport(tenant, segment, descriptor);
  const bool is_mapped = outcome.empty() && Send(sockets[0], descriptor) && IsTold(sockets[0]);
  close(descriptor);
  if (is_mapped) outcome = LetGoToChild(tenant, segment);
  const bool is_told = is_mapped && Tell(sockets[0]);
  close(sockets[0]);
  const bool is_well = IsWell(child);
  if (!outcome.empty()) return outcome;
  WANT_TRUE(is_told && is_well);
  return {};
}

Outcome MapSegment(Tenant& tenant, const char* argument) {
  const DriverApi& api = tenant.api;
  const int socket = std::atoi(argument);
  const int descriptor = Receive(socket);
  WANT_TRUE(descriptor >= 0);
  const size_t before = FreeBytes(tenant);
  Mapped segment{};
  WANT_OK(api.cuMemImportFromShareableHandle(
      &segment.handle, reinterpret_cast<void*>(static_cast<intptr_t>(descriptor)), kDescriptor));
  close(descriptor);
  if (Outcome outcome = Map(tenant, segment); !outcome.empty()) return outcome;
  WANT_TRUE(FreeBytes(tenant) == before);  // it is the exporter's memory
  WANT_TRUE(Tell(socket) && IsTold(socket));
  unsigned char byte = 0;
  WANT_OK(api.cuMemcpyDtoH(&byte, segment.address + kBytes - 1, 1));
  WANT_TRUE(byte == kMark);
  return LetGo(tenant, segment);
}

}  // namespace warpshare::patterns

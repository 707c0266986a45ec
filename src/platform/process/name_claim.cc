#include "platform/process/name_claim.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

namespace warpshare::platform {

namespace {

struct Address {
  explicit Address(const std::string& name) {
    socket.sun_family = AF_UNIX;
    name.copy(socket.sun_path + 1, kLongest);  // the first byte stays 0: abstract
    length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
                                    std::min(name.size(), kLongest));
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&socket); }

  static constexpr size_t kLongest = 100;
  sockaddr_un socket{};
  socklen_t length;
};

// Whoever looks at who holds a name connects, and is never answered.
Descriptor NewSocket() {
  return Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

}  // namespace

Result<std::optional<NameClaim>> NameClaim::Take(const std::string& name) {
  Descriptor socket = NewSocket();
  const Address address(name);
  if (bind(socket.get(), address.get(), address.length) == 0 &&
      listen(socket.get(), SOMAXCONN) == 0)
    return std::optional<NameClaim>(NameClaim(std::move(socket)));
  if (errno == EADDRINUSE) return std::optional<NameClaim>();
  return Fail(SystemError("cannot claim the name " + name, errno));
}

void NameClaim::TidyUp() const {
  while (Descriptor(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC)).is_open()) {
  }
}

// Whom a listening socket belongs to is known to who connects, without it being accepted.
std::optional<NameHolder> FindNameHolder(const std::string& name) {
  const Descriptor socket = NewSocket();
  const Address address(name);
  if (connect(socket.get(), address.get(), address.length) != 0) return std::nullopt;
  ucred holder{};
  socklen_t size = sizeof(holder);
  if (getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &holder, &size) != 0) return std::nullopt;
  return NameHolder{.pid = holder.pid, .user = holder.uid};
}

}  // namespace warpshare::platform

// A server on "::", as the daemons' webhook and metrics are.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include "platform/http/server.h"
#include "platform/http/transport.h"

namespace warpshare::http {
namespace {

bool HasIpv6() {
  std::string address;
  return static_cast<bool>(std::ifstream("/proc/net/if_inet6") >> address);
}

// From here on this process, which is a test's child, gets no socket of IPv6.
void TakeIpv6Away() {
  sock_filter words[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAFNOSUPPORT),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{.len = std::size(words), .filter = words};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) std::_Exit(2);
}

class EveryAddressTest : public testing::Test {
 protected:
  Result<std::unique_ptr<Server>> Listen() {
    return Server::Listen(loop_, {.address = "::", .limits = {}},
                          [](const Request&, const Responder&) {});
  }
  bool CanReach(const Server& server, const char* host) {
    std::optional<bool> reached;
    const auto connecting =
        Connect(loop_, {host, server.port(), nullptr, ""},
                [&](const Result<TransportPtr>& transport) { reached = transport.has_value(); });
    loop_.RunUntil([&] { return reached.has_value(); }, std::chrono::seconds(20));
    return reached.value_or(false);
  }

  platform::EventLoop loop_;
};

TEST_F(EveryAddressTest, IsReachedByBothFamilies) {
  const auto server = Listen();
  ASSERT_TRUE(server) << server.error().message;
  EXPECT_TRUE(CanReach(**server, "127.0.0.1"));
  EXPECT_EQ(CanReach(**server, "::1"), HasIpv6());
}

TEST_F(EveryAddressTest, IsOfIpv4AloneWhereTheKernelHasNoOther) {
  EXPECT_EXIT(
      {
        TakeIpv6Away();
        const auto server = Listen();
        std::_Exit(server && CanReach(**server, "127.0.0.1") ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace warpshare::http

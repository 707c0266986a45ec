// A process of a tenant beside the one that looks, and what they say to each other.
#pragma once

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "memory/tenant_process.h"

namespace warpshare::testing {

// A process of the tenant beside the one that looks; each is told by the other when to go on.
class Beside {
 public:
  using Body = std::function<void(Tenant&, int socket)>;
  Beside(const std::function<pid_t(std::function<void(Tenant&)>)>& start, const Body& body) {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets_), 0);
    pid_ = start([this, body](Tenant& tenant) { body(tenant, sockets_[0]); });
    close(sockets_[0]);
  }
  ~Beside() {
    const int status = AwaitChild(pid_);
    EXPECT_TRUE(status == 0 || WTERMSIG(status) == SIGKILL) << status;
    close(sockets_[1]);
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  int socket() const { return sockets_[1]; }
  void Go() const { EXPECT_EQ(write(sockets_[1], "x", 1), 1); }
  void AwaitWord() const {
    char word = 0;
    EXPECT_EQ(read(sockets_[1], &word, 1), 1);
  }
  // Perhaps by a process that it is no child of.
  void Kill() const {
    pollfd death{
        .fd = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)), .events = POLLIN, .revents = 0};
    kill(pid_, SIGKILL);
    EXPECT_EQ(poll(&death, 1, -1), 1);
    close(death.fd);
  }

 private:
  int sockets_[2] = {-1, -1};
  pid_t pid_ = 0;
};

inline void AwaitGo(int socket) {
  char word = 0;
  EXPECT_EQ(read(socket, &word, 1), 1);
}

}  // namespace warpshare::testing

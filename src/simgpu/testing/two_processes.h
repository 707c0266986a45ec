// For tests of what one process hands another: both are forked from a parent that has not called
// the driver, and talk over a socket.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <functional>

#include "simgpu/testing/world_fixture.h"

namespace simgpu::testing {

// One end of the line between the two. Every send is met by a receive of the same size.
class Line {
 public:
  explicit Line(int socket) : socket_(socket) {}

  template <class Value>
  void Send(const Value& value) {
    EXPECT_EQ(write(socket_, &value, sizeof(value)), static_cast<ssize_t>(sizeof(value)));
  }

  template <class Value>
  Value Receive() {
    Value value = {};
    EXPECT_EQ(recv(socket_, &value, sizeof(value), MSG_WAITALL),
              static_cast<ssize_t>(sizeof(value)));
    return value;
  }

  // Both sides have got here.
  void Meet() {
    Send('.');
    Receive<char>();
  }

  void SendDescriptor(int descriptor) {
    char byte = '.';
    iovec data = {&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message = {};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof(control);
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
    EXPECT_EQ(sendmsg(socket_, &message, 0), 1);
  }

  int ReceiveDescriptor() {
    char byte = 0;
    iovec data = {&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message = {};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof(control);
    EXPECT_EQ(recvmsg(socket_, &message, 0), 1);
    int descriptor = -1;
    if (const cmsghdr* const header = CMSG_FIRSTHDR(&message)) {
      std::memcpy(&descriptor, CMSG_DATA(header), sizeof(int));
    }
    return descriptor;
  }

 private:
  const int socket_;
};

// Runs both to their end; a failed assertion in either fails the test.
inline void RunTwo(const std::function<void(Line&)>& first,
                   const std::function<void(Line&)>& second) {
  int sockets[2] = {};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(sockets[0]);
    Line line(sockets[1]);
    second(line);
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  close(sockets[1]);
  const int of_first = RunInChild([&] {
    Line line(sockets[0]);
    first(line);
  });
  close(sockets[0]);
  EXPECT_EQ(of_first, 0);
  int of_second = -1;
  EXPECT_EQ(waitpid(child, &of_second, 0), child);
  EXPECT_EQ(of_second, 0);
}

}  // namespace simgpu::testing

// Many connections of one peer that is not the test itself: of another address of the loopback.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpshare::http {

class Crowd {
 public:
  explicit Crowd(uint16_t port, const char* address = "127.0.0.2")
      : port_(port), address_(address) {}
  ~Crowd() {
    for (const int one : sockets_) close(one);
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  // They are in the server's queue when this returns, and stay as they are.
  void Join(size_t count, std::string_view words = "") {
    for (size_t i = 0; i < count; ++i) {
      const int one = sockets_.emplace_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
      const sockaddr_in from = Address(address_, 0);
      const sockaddr_in to = Address("127.0.0.1", port_);
      ASSERT_EQ(bind(one, reinterpret_cast<const sockaddr*>(&from), sizeof(from)), 0);
      ASSERT_EQ(connect(one, reinterpret_cast<const sockaddr*>(&to), sizeof(to)), 0);
      ASSERT_EQ(send(one, words.data(), words.size(), MSG_NOSIGNAL), ssize_t(words.size()));
    }
  }

 private:
  static sockaddr_in Address(const char* text, uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    inet_pton(AF_INET, text, &address.sin_addr);
    return address;
  }

  const uint16_t port_;
  const char* const address_;
  std::vector<int> sockets_;
};

}  // namespace warpshare::http

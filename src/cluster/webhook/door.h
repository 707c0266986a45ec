// The webhook's HTTPS server, on a thread of its own. Whoever reaches it can have it shake hands,
// take in and parse as much as it can; that takes no time from the loop, where the extender
// answers. What was asked is judged on the loop, one question at a time, so that whatever else
// waits there has its turn after each.
//
// Threads: made, used and destroyed on the loop's.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

#include "cluster/webhook/endpoint.h"
#include "platform/event_loop/event_loop.h"
#include "platform/http/server.h"

namespace warpshare::webhook {

class Door {
 public:
  using Answer = std::function<http::Response(Asked)>;

  // `loop` outlives it; `answer` is called there.
  static Result<std::unique_ptr<Door>> Open(platform::EventLoop& loop, http::ServerOptions options,
                                            Answer answer);
  // Cuts off whoever is still connected.
  ~Door();

  uint16_t port() const { return port_; }

  // For connections that come from now on; on failure the former stays. Waits for the door's
  // thread.
  Result<void> UseTls(const http::ServerTls& tls);

  // Answers what is being asked, for up to `grace`; then calls `stopped`, on the loop.
  void Stop(std::chrono::milliseconds grace, std::function<void()> stopped);

 private:
  struct Room;
  explicit Door(std::shared_ptr<Room> room);

  const std::shared_ptr<Room> room_;
  const uint16_t port_;
  std::thread thread_;
};

}  // namespace warpshare::webhook

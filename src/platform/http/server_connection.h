// One client of a server: reads a request, waits for its answer, writes it, reads the next.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "platform/http/server.h"
#include "platform/http/transport.h"

namespace warpshare::http {

// What the connections of one server have in common; outlives them.
struct ServerShared {
  platform::EventLoop& loop;
  const ServerLimits limits;
  const Server::Handler handler;
  ServerCounts counts;
  size_t held_bytes = 0;  // of requests, by all connections
  bool stopping = false;
  std::function<void(ServerConnection&)> ended;  // drops the connection
};

class ServerConnection : public std::enable_shared_from_this<ServerConnection> {
 public:
  ServerConnection(ServerShared& shared, TransportPtr transport);

  void Start();
  void Close();  // at once; calls ended

  // Ends by itself when what is being answered is answered; at once when nothing is.
  void EndSoon();

  bool is_idle() const { return state_ == State::kIdle; }
  // It is idle; or, where it is not, it was made or idle last.
  std::chrono::steady_clock::time_point since() const { return since_; }
  const std::string& peer() const { return transport_->peer(); }

  // For the answer to request number `turn`; any other is dropped.
  void Answer(uint64_t turn, Response response);
  bool BeginStream(uint64_t turn, unsigned status, Headers headers, std::function<void()> gone);
  bool WritePiece(const std::string& piece);
  void EndStream();

 private:
  enum class State {
    kHandshake,
    kIdle,
    kReading,
    kHandling,
    kWriting,
    kStreaming,
    kDraining,
    kEnded
  };

  void AwaitRequest();
  void ReadMore();
  void TakeIn(std::string_view bytes);
  bool HoldMore(size_t bytes);
  void LetGo();
  void Act(Progress progress);
  void Handle();
  void Refuse(unsigned status, const std::string& reason);
  void Send(Response response);
  void Sent();
  void Drain();
  void WriteWaiting();
  void WatchForEnd();
  void CutOffAfter(std::chrono::milliseconds time);
  void TooSlow();

  ServerShared& shared_;
  TransportPtr transport_;
  RequestReader reader_;
  platform::Timer deadline_;
  State state_ = State::kHandshake;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  size_t held_bytes_ = 0;  // of the request that is being taken in or answered
  uint64_t turn_ = 0;
  bool keep_alive_ = false;
  bool head_only_ = false;

  // A stream's pieces that wait, and whether one is on its way.
  std::string pieces_;
  bool piece_under_way_ = false;
  bool stream_ended_ = false;
  std::function<void()> gone_;
};

struct Responder::Exchange {
  Exchange(platform::EventLoop& on, std::weak_ptr<ServerConnection> of, uint64_t number)
      : loop(on), connection(std::move(of)), turn(number) {}
  ~Exchange();

  platform::EventLoop& loop;
  const std::weak_ptr<ServerConnection> connection;
  const uint64_t turn;
};

}  // namespace warpshare::http

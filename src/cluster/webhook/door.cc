#include "cluster/webhook/door.h"

#include <deque>
#include <future>
#include <utility>

namespace warpshare::webhook {

// What is behind the door: its thread's, but for what says otherwise. Work that waits on the main
// loop keeps it, for the answers to have a loop to go back to.
struct Door::Room : std::enable_shared_from_this<Room> {
  Room(platform::EventLoop& main_loop, Answer to_answer)
      : main(main_loop), answer(std::move(to_answer)) {}

  struct Waiting {
    http::Request request;
    http::Responder responder;
  };

  void Ask(http::Request request, http::Responder responder) {
    waiting.push_back({std::move(request), std::move(responder)});
    JudgeNext();
  }

  // Parsed when it is its turn: what is parsed takes far more memory than what was sent.
  void JudgeNext() {
    if (is_judging || waiting.empty()) return;
    is_judging = true;
    auto [request, responder] = std::move(waiting.front());
    waiting.pop_front();
    // Shared, as work must be copyable.
    const auto asked = std::make_shared<Asked>(ReadRequest(request));
    main.Post([room = shared_from_this(), asked, responder = std::move(responder)] {
      if (room->is_open) responder.Respond(room->answer(std::move(*asked)));
      room->loop.Post([room = room.get()] {
        room->is_judging = false;
        room->JudgeNext();
      });
    });
  }

  platform::EventLoop loop;  // the first: all below is on it
  platform::EventLoop& main;
  const Answer answer;  // of the main loop, as the next
  bool is_open = true;
  std::unique_ptr<http::Server> server;
  std::deque<Waiting> waiting;
  bool is_judging = false;
};

Result<std::unique_ptr<Door>> Door::Open(platform::EventLoop& loop, http::ServerOptions options,
                                         Answer answer) {
  auto room = std::make_shared<Room>(loop, std::move(answer));
  auto server =
      http::Server::Listen(room->loop, std::move(options),
                           [room = room.get()](http::Request request, http::Responder responder) {
                             room->Ask(std::move(request), std::move(responder));
                           });
  if (!server) return Forward(server);
  room->server = std::move(*server);
  return std::unique_ptr<Door>(new Door(std::move(room)));
}

Door::Door(std::shared_ptr<Room> room)
    : room_(std::move(room)),
      port_(room_->server->port()),
      thread_([loop = &room_->loop] { loop->Run(); }) {}

// Told on the loop: its thread may not have begun to run it, and would not hear of it before.
Door::~Door() {
  room_->is_open = false;
  room_->loop.Post([room = room_.get()] {
    room->server.reset();
    room->loop.Stop();
  });
  thread_.join();
}

Result<void> Door::UseTls(const http::ServerTls& tls) {
  std::promise<Result<void>> used;
  room_->loop.Post([&, room = room_.get()] { used.set_value(room->server->UseTls(tls)); });
  return used.get_future().get();
}

void Door::Stop(std::chrono::milliseconds grace, std::function<void()> stopped) {
  room_->loop.Post([room = room_.get(), grace, stopped = std::move(stopped)] {
    room->server->Stop(grace, [room, stopped] { room->main.Post(stopped); });
  });
}

}  // namespace warpshare::webhook

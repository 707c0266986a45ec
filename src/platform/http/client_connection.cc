#include "platform/http/client_connection.h"

#include <utility>

namespace warpshare::http {

void Call::State::Finish(Result<Response> result) {
  if (std::exchange(ended, true)) return;
  deadline.Cancel();
  const auto callback = std::exchange(done, nullptr);
  callback(std::move(result));
}

void Call::State::EndStream(Result<void> result) {
  if (std::exchange(ended, true)) return;
  deadline.Cancel();
  const auto callback = std::exchange(stream->ended, nullptr);
  callback(std::move(result));
}

void Call::State::Fail(Error error) {
  stream ? EndStream(warpshare::Fail(std::move(error))) : Finish(warpshare::Fail(std::move(error)));
}

void Call::State::Withdraw() {
  ended = true;
  deadline.Cancel();
  done = nullptr;
  if (const auto carrier = connection.lock()) carrier->Close();
}

ClientConnection::ClientConnection(platform::EventLoop& loop, MessageLimits limits, Events events)
    : loop_(loop), events_(std::move(events)), reader_(limits), deadline_(loop) {}

void ClientConnection::Open(ConnectTo to, std::chrono::milliseconds connect_time) {
  deadline_.Set(connect_time, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self) self->Connected(warpshare::Fail(Errc::kUnavailable, "no connection in time"));
  });
  connecting_ = Connect(loop_, std::move(to), [weak = weak_from_this()](auto transport) {
    if (const auto self = weak.lock()) self->Connected(std::move(transport));
  });
}

void ClientConnection::Connected(Result<TransportPtr> transport) {
  const auto self = shared_from_this();
  deadline_.Cancel();
  const auto connecting = std::exchange(connecting_, nullptr);
  if (!is_open_) return;
  if (!transport) {
    events_.failed(*this, std::move(transport.error()));
    return Close();
  }
  transport_ = std::move(*transport);
  ReadMore();
  events_.free(*this);
}

void ClientConnection::Begin(CallPtr call) {
  deadline_.Cancel();
  call_ = std::move(call);
  call_->connection = weak_from_this();
  began_ = false;
  writing_ = true;
  transport_->Write(
      RequestHead(call_->request.method, call_->request.target, call_->request.headers) +
          call_->request.body,
      [weak = weak_from_this()](const Result<void>& sent) {
        const auto self = weak.lock();
        if (!self) return;
        self->writing_ = false;
        // An early answer says more than the broken pipe: the read finds it.
        if (!sent && !self->call_) self->Close();
      });
}

void ClientConnection::Close() {
  if (!std::exchange(is_open_, false)) return;
  const auto self = shared_from_this();
  deadline_.Cancel();
  connecting_ = nullptr;
  if (transport_) transport_->Close();
  if (const CallPtr call = std::exchange(call_, nullptr)) call->Withdraw();
  events_.ended(*this);
}

void ClientConnection::CloseAfter(std::chrono::milliseconds idle_time) {
  deadline_.Set(idle_time, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->Close();
  });
}

// A read always waits, so that the end of a connection is seen while it is idle.
void ClientConnection::ReadMore() {
  transport_->Read([weak = weak_from_this()](Result<std::string_view> bytes) {
    if (const auto self = weak.lock()) self->TakeIn(std::move(bytes));
  });
}

void ClientConnection::TakeIn(Result<std::string_view> bytes) {
  const auto self = shared_from_this();
  if (!call_) return Close();
  if (!bytes) return Fail(std::move(bytes.error()));
  const bool at_end = bytes->empty();
  const Progress progress = at_end ? reader_.End() : reader_.Feed(*bytes);
  if (progress != Progress::kBad) {
    Act(progress);
  } else if (at_end) {
    Fail({Errc::kUnavailable, "the server closed the connection"});
  } else {
    Fail({Errc::kCorrupt, "the answer is not HTTP: " + reader_.bad().reason});
  }
  if (is_open_) at_end ? Close() : ReadMore();
}

void ClientConnection::Act(Progress progress) {
  if (call_->stream) PassOn();
  if (is_open_ && call_ && progress == Progress::kComplete) Complete();
}

void ClientConnection::PassOn() {
  if (!reader_.head_is_here()) return;
  const CallPtr call = call_;
  call->deadline.Set(call->stream->quiet_time, [weak = std::weak_ptr(call)] {
    const auto late = weak.lock();
    if (!late) return;
    const auto carrier = late->connection.lock();
    late->Fail({Errc::kUnavailable, "the stream has gone quiet"});
    if (carrier) carrier->Close();
  });
  if (!std::exchange(began_, true)) call->stream->began(reader_.Head());
  std::string piece = reader_.TakeBody();
  if (!call->ended && !piece.empty()) call->stream->piece(std::move(piece));
}

void ClientConnection::Complete() {
  auto [response, keep_alive] = reader_.Take();
  const CallPtr call = std::exchange(call_, nullptr);
  call->connection.reset();
  was_used_ = true;
  const bool reusable = keep_alive && !writing_ && !call->stream && !reader_.has_begun();
  reusable ? events_.free(*this) : Close();
  call->stream ? call->EndStream({}) : call->Finish(std::move(response));
}

void ClientConnection::Fail(Error error) {
  const CallPtr call = std::exchange(call_, nullptr);
  call->connection.reset();
  const bool found_closed = was_used_ && !reader_.has_begun() && error.code == Errc::kUnavailable;
  const bool again = found_closed && call->request.method == "GET" && !call->was_retried;
  Close();
  if (!again) return call->Fail(std::move(error));
  call->was_retried = true;
  events_.again(call);
}

}  // namespace warpshare::http

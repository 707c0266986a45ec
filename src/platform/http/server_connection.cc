#include "platform/http/server_connection.h"

#include <cstdio>

namespace warpshare::http {
namespace {

// For a client in the middle of its request to see why it was refused.
constexpr std::chrono::milliseconds kDrainTime{1'000};

std::string WholeHead(Response& response, bool keep_alive) {
  response.headers.Add("Content-Length", std::to_string(response.body.size()));
  if (!keep_alive) response.headers.Add("Connection", "close");
  return ResponseHead(response.status, response.headers);
}

std::string Chunk(const std::string& piece) {
  char size[24];
  std::snprintf(size, sizeof(size), "%zx\r\n", piece.size());
  return size + piece + "\r\n";
}

}  // namespace

ServerConnection::ServerConnection(ServerShared& shared, TransportPtr transport)
    : shared_(shared),
      transport_(std::move(transport)),
      reader_(shared.limits.message),
      deadline_(shared.loop) {}

void ServerConnection::Start() {
  CutOffAfter(shared_.limits.read_time);
  transport_->Handshake([this, self = shared_from_this()](const Result<void>& shaken) {
    if (shaken) return AwaitRequest();
    ++shared_.counts.bad_handshakes;
    Close();
  });
}

void ServerConnection::Close() {
  if (state_ == State::kEnded) return;
  const auto self = shared_from_this();
  state_ = State::kEnded;
  deadline_.Cancel();
  LetGo();
  transport_->Close();
  shared_.ended(*this);
  if (const auto gone = std::exchange(gone_, nullptr)) gone();
}

void ServerConnection::EndSoon() {
  keep_alive_ = false;
  if (state_ == State::kIdle || state_ == State::kHandshake || state_ == State::kStreaming) Close();
}

void ServerConnection::AwaitRequest() {
  state_ = State::kIdle;
  since_ = std::chrono::steady_clock::now();
  CutOffAfter(shared_.limits.idle_time);
  TakeIn("");
}

void ServerConnection::ReadMore() {
  transport_->Read([this, self = shared_from_this()](Result<std::string_view> bytes) {
    if (!bytes || bytes->empty()) return Close();
    const bool too_late = state_ != State::kIdle && state_ != State::kReading;
    if (!too_late) TakeIn(*bytes);
  });
}

// False when others leave it no room for that.
bool ServerConnection::HoldMore(size_t bytes) {
  held_bytes_ += bytes;
  shared_.held_bytes += bytes;
  const ServerLimits& limits = shared_.limits;
  return shared_.held_bytes <= limits.bytes_together ||
         held_bytes_ <= limits.bytes_together / limits.connections;
}

void ServerConnection::LetGo() { shared_.held_bytes -= std::exchange(held_bytes_, 0); }

void ServerConnection::TakeIn(std::string_view bytes) {
  if (!HoldMore(bytes.size())) {
    ++shared_.counts.too_much;
    return Refuse(503, "too much is being sent at once: send it again later");
  }
  const Progress progress = reader_.Feed(bytes);
  if (state_ == State::kIdle && reader_.has_begun()) {
    state_ = State::kReading;
    CutOffAfter(shared_.limits.read_time);
  }
  Act(progress);
}

void ServerConnection::Act(Progress progress) {
  if (progress == Progress::kComplete) return Handle();
  if (progress == Progress::kBad) {
    ++shared_.counts.bad_messages;
    return Refuse(reader_.bad().status, reader_.bad().reason);
  }
  if (!reader_.TakeExpectation()) return ReadMore();
  transport_->Write(
      "HTTP/1.1 100 Continue\r\n\r\n",
      [this, self = shared_from_this()](const Result<void>& sent) { sent ? ReadMore() : Close(); });
}

void ServerConnection::Handle() {
  auto [request, keep_alive] = reader_.Take();
  ++shared_.counts.requests;
  state_ = State::kHandling;
  keep_alive_ = keep_alive && !shared_.stopping;
  head_only_ = request.method == "HEAD";
  const uint64_t turn = ++turn_;
  const auto self = shared_from_this();
  deadline_.Set(shared_.limits.answer_time, [this, self, turn] {
    ++shared_.counts.slow_answers;
    Answer(turn, Response::Text("no answer in time\n", 503));
  });
  shared_.handler(std::move(request), Responder(std::make_shared<Responder::Exchange>(
                                          shared_.loop, weak_from_this(), turn)));
}

void ServerConnection::Refuse(unsigned status, const std::string& reason) {
  keep_alive_ = false;
  head_only_ = false;
  Send(Response::Text(reason + '\n', status));
}

void ServerConnection::Answer(uint64_t turn, Response response) {
  if (state_ == State::kHandling && turn == turn_) Send(std::move(response));
}

void ServerConnection::Send(Response response) {
  state_ = State::kWriting;
  keep_alive_ = keep_alive_ && !shared_.stopping;
  CutOffAfter(shared_.limits.write_time);
  std::string bytes = WholeHead(response, keep_alive_);
  if (!head_only_) bytes += response.body;
  transport_->Write(std::move(bytes), [this, self = shared_from_this()](const Result<void>& sent) {
    sent ? Sent() : Close();
  });
}

void ServerConnection::Sent() {
  LetGo();
  if (keep_alive_) return AwaitRequest();
  Drain();
}

void ServerConnection::Drain() {
  state_ = State::kDraining;
  const auto self = shared_from_this();
  deadline_.Set(kDrainTime, [this, self] { Close(); });
  transport_->Drain([this, self] { Close(); });
}

bool ServerConnection::BeginStream(uint64_t turn, unsigned status, Headers headers,
                                   std::function<void()> gone) {
  if (state_ != State::kHandling || turn != turn_) return false;
  state_ = State::kStreaming;
  deadline_.Cancel();
  gone_ = std::move(gone);
  headers.Add("Transfer-Encoding", "chunked");
  headers.Add("Connection", "close");
  pieces_ = ResponseHead(status, headers);
  WatchForEnd();
  WriteWaiting();
  return true;
}

// A client that takes a stream has nothing more to say; what it says is not kept.
void ServerConnection::WatchForEnd() {
  transport_->Read([this, self = shared_from_this()](Result<std::string_view> bytes) {
    if (!bytes || bytes->empty()) return Close();
    WatchForEnd();
  });
}

bool ServerConnection::WritePiece(const std::string& piece) {
  if (state_ != State::kStreaming || stream_ended_) return false;
  if (!piece.empty()) pieces_ += Chunk(piece);  // an empty chunk would end the stream
  WriteWaiting();
  return true;
}

void ServerConnection::EndStream() {
  if (state_ != State::kStreaming || stream_ended_) return;
  stream_ended_ = true;
  pieces_ += "0\r\n\r\n";
  WriteWaiting();
}

void ServerConnection::WriteWaiting() {
  if (piece_under_way_) return;
  if (pieces_.empty()) {
    deadline_.Cancel();
    if (stream_ended_) {
      gone_ = nullptr;
      Close();
    }
    return;
  }
  piece_under_way_ = true;
  CutOffAfter(shared_.limits.write_time);
  transport_->Write(std::exchange(pieces_, {}),
                    [this, self = shared_from_this()](const Result<void>& sent) {
                      piece_under_way_ = false;
                      sent ? WriteWaiting() : Close();
                    });
}

void ServerConnection::CutOffAfter(std::chrono::milliseconds time) {
  deadline_.Set(time, [this, self = weak_from_this()] {
    if (const auto alive = self.lock()) TooSlow();
  });
}

void ServerConnection::TooSlow() {
  if (state_ == State::kIdle) return Close();
  ++shared_.counts.slow_clients;
  if (state_ != State::kReading) return Close();
  // The read that waits is left alone: the answer goes out beside it, then the connection ends.
  state_ = State::kWriting;
  CutOffAfter(kDrainTime);
  Response late = Response::Text("the request took too long\n", 408);
  transport_->Write(WholeHead(late, false) + late.body,
                    [this, self = shared_from_this()](const Result<void>&) { Close(); });
}

Responder::Exchange::~Exchange() {
  const auto answer = [weak = connection, turn = turn] {
    if (const auto alive = weak.lock()) {
      alive->Answer(turn, Response::Text("no answer was found\n", 500));
    }
  };
  loop.InLoop() ? answer() : loop.Post(answer);
}

void Responder::Respond(Response response) const {
  auto answer = [weak = exchange_->connection, turn = exchange_->turn,
                 response = std::move(response)]() mutable {
    if (const auto alive = weak.lock()) alive->Answer(turn, std::move(response));
  };
  exchange_->loop.InLoop() ? answer() : exchange_->loop.Post(std::move(answer));
}

ResponseStream Responder::Stream(unsigned status, Headers headers,
                                 std::function<void()> gone) const {
  const auto connection = exchange_->connection.lock();
  const bool begun = connection && connection->BeginStream(exchange_->turn, status,
                                                           std::move(headers), std::move(gone));
  return ResponseStream(begun ? exchange_->connection : std::weak_ptr<ServerConnection>());
}

bool ResponseStream::Write(const std::string& piece) {
  const auto connection = connection_.lock();
  return connection && connection->WritePiece(piece);
}

void ResponseStream::End() {
  if (const auto connection = connection_.lock()) connection->EndStream();
}

}  // namespace warpshare::http

// One end of a connection for tests that speak HTTP badly on purpose: sends what it is told, keeps
// what it gets.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "platform/http/transport.h"

namespace warpshare::http {

class RawPeer {
 public:
  RawPeer(EventLoop& loop, uint16_t port, TlsContext tls = nullptr) {
    connecting_ = Connect(loop, {"127.0.0.1", port, std::move(tls), "localhost"},
                          [this](Result<TransportPtr> connected) {
                            if (!connected) {
                              state_->error = connected.error().message;
                              state_->ended = true;
                              return;
                            }
                            state_->transport = *connected;
                            SendWaiting(state_);
                            ReadMore(state_);
                          });
  }

  explicit RawPeer(TransportPtr accepted) {
    state_->transport = std::move(accepted);
    state_->transport->Handshake([state = state_](Result<void> shaken) {
      if (!shaken) return;
      SendWaiting(state);
      ReadMore(state);
    });
  }

  ~RawPeer() { Close(); }

  void Send(std::string bytes) {
    state_->waiting += bytes;
    if (state_->transport && state_->reading) SendWaiting(state_);
  }

  void Close() {
    if (state_->transport) state_->transport->Close();
  }

  const std::string& got() const { return state_->got; }
  bool ended() const { return state_->ended; }
  bool is_connected() const { return state_->reading; }
  const std::string& error() const { return state_->error; }

 private:
  struct State {
    TransportPtr transport;
    std::string waiting, got, error;
    bool sending = false, ended = false, reading = false;
  };

  static void SendWaiting(const std::shared_ptr<State>& state) {
    if (state->sending || state->waiting.empty()) return;
    state->sending = true;
    state->transport->Write(std::exchange(state->waiting, {}), [state](Result<void> sent) {
      state->sending = false;
      if (sent) SendWaiting(state);
    });
  }

  static void ReadMore(const std::shared_ptr<State>& state) {
    state->reading = true;
    state->transport->Read([state](Result<std::string_view> bytes) {
      if (!bytes || bytes->empty()) {
        state->ended = true;
        return;
      }
      state->got.append(*bytes);
      ReadMore(state);
    });
  }

  std::shared_ptr<State> state_ = std::make_shared<State>();
  std::shared_ptr<void> connecting_;
};

}  // namespace warpshare::http

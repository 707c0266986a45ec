// Looks after the health of the node's cards: faults as they happen, a probe every few seconds.
// policy/health says what follows from them. What only a reset mends outlives the daemon
// (reset_notes.h). Each probe is a thread of its own, so that a card that hangs holds up neither
// the others nor who reads what is known here.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "node/device_plugin/card_view.h"
#include "node/device_plugin/reset_notes.h"
#include "platform/clock/clock.h"
#include "platform/log_file/log_file.h"
#include "platform/nvml/card_events.h"
#include "platform/nvml/question.h"
#include "policy/health/card_health.h"

namespace warpshare::node {

// A card whose probe has not come back for so long hangs. A sound one answers in milliseconds; a
// single call to a GSP that does not answer fails by itself after some six seconds (XID 119).
inline constexpr std::chrono::seconds kHangsAfter{10};

class CardWatch final : public CardView {
 public:
  struct Ports {
    std::shared_ptr<platform::CardEvents> events;  // a probe that hangs has it, too
    ResetNotes& notes;
    platform::Clock& clock;
    platform::Log& log;
  };
  CardWatch(const std::vector<platform::Card>& cards, const Ports& ports);

  std::vector<CardState> Cards() const override;

  // Waits so long for a fault, and probes when it is time to. From one thread. After the first time
  // those cards are unwell that have not answered by then.
  void Look(std::chrono::milliseconds patience);

 private:
  using Time = platform::Clock::Time;
  using Used = std::optional<Bytes>;
  struct Watched {
    platform::Card card;
    health::CardHealth health;
    Used used = {};
    Time answered_at = {};
    std::string logged = {};
    // Of the looking thread: the probe that is under way, and whether that it is to be reset is on
    // disk.
    std::optional<platform::Question<Used>> probe = {};
    Time asked_at = {};
    bool has_answered = false;
    bool is_noted = false;
    bool is_note_tried = false;
  };
  uint64_t NowNs() const;
  void Note(const platform::CardFault& fault);
  void Probe();
  void Ask(Watched& each);
  void Hear(Watched& each, std::chrono::milliseconds patience);
  void NoteOnDisk();
  void LogChanges();

  const Ports ports_;
  mutable std::mutex mutex_;
  std::vector<Watched> cards_;
  Time next_probe_;
};

}  // namespace warpshare::node

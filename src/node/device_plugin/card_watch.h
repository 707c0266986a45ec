// Looks after the health of the node's cards: faults as they happen, a probe every few seconds.
// policy/health says what follows from them. What only a reset mends outlives the daemon
// (reset_notes.h).
#pragma once

#include <chrono>
#include <mutex>
#include <vector>

#include "node/device_plugin/card_view.h"
#include "node/device_plugin/reset_notes.h"
#include "platform/clock/clock.h"
#include "platform/log_file/log_file.h"
#include "platform/nvml/card_events.h"
#include "policy/health/card_health.h"

namespace warpshare::node {

class CardWatch final : public CardView {
 public:
  struct Ports {
    platform::CardEvents& events;
    ResetNotes& notes;
    platform::Clock& clock;
    platform::Log& log;
  };
  CardWatch(const std::vector<platform::Card>& cards, const Ports& ports);

  std::vector<CardState> Cards() const override;

  // Waits so long for a fault, and probes when it is time to. From one thread.
  void Look(std::chrono::milliseconds patience);

 private:
  struct Watched {
    platform::Card card;
    health::CardHealth health;
    std::string logged = {};
    // That it is to be reset, on disk; of the looking thread.
    bool is_noted = false;
    bool is_note_tried = false;
  };
  uint64_t NowNs() const;
  void Note(const platform::CardFault& fault);
  void Probe();
  void NoteOnDisk();
  void LogChanges();

  const Ports ports_;
  mutable std::mutex mutex_;
  std::vector<Watched> cards_;
  platform::Clock::Time next_probe_;
};

}  // namespace warpshare::node

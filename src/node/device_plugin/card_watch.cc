#include "node/device_plugin/card_watch.h"

#include "platform/log_file/log_words.h"

namespace warpshare::node {

namespace {

constexpr std::chrono::seconds kProbeEvery{5};

}  // namespace

CardWatch::CardWatch(const std::vector<platform::Card>& cards, const Ports& ports)
    : ports_(ports), next_probe_(ports.clock.Now()) {
  for (const platform::Card& card : cards) cards_.push_back({.card = card, .health = {}});
}

std::vector<CardState> CardWatch::Cards() const {
  const std::scoped_lock held(mutex_);
  std::vector<CardState> states;
  for (const Watched& each : cards_) states.push_back({each.card, each.health.is_healthy()});
  return states;
}

void CardWatch::Look(std::chrono::milliseconds patience) {
  if (const auto fault = ports_.events.Wait(patience)) Note(*fault);
  if (ports_.clock.Now() >= next_probe_) Probe();
  LogChanges();
}

uint64_t CardWatch::NowNs() const {
  const auto since = ports_.clock.Now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::nanoseconds(since).count());
}

void CardWatch::Note(const platform::CardFault& fault) {
  const std::scoped_lock held(mutex_);
  for (Watched& each : cards_)
    if (!fault.card || *fault.card == each.card.uuid) each.health.Fault(fault.xid, NowNs());
}

// A card that is lost may let a question wait: nobody else does.
void CardWatch::Probe() {
  next_probe_ = ports_.clock.Now() + kProbeEvery;
  for (Watched& each : cards_) {
    const bool does = ports_.events.DoesAnswer(each.card.uuid);
    const std::scoped_lock held(mutex_);
    each.health.Answered(does, NowNs());
  }
}

void CardWatch::LogChanges() {
  for (Watched& each : cards_) {
    if (each.health.reason() == each.logged) continue;
    each.logged = each.health.reason();
    ports_.log.Line(
        platform::LogText("card health", {{"card", each.card.uuid.Text()},
                                          {"healthy", each.health.is_healthy() ? "true" : "false"},
                                          {"reason", each.logged}}));
  }
}

}  // namespace warpshare::node

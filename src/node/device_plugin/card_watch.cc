#include "node/device_plugin/card_watch.h"

#include "platform/log_file/log_words.h"

namespace warpshare::node {

namespace {

constexpr std::chrono::seconds kProbeEvery{5};

}  // namespace

CardWatch::CardWatch(const std::vector<platform::Card>& cards, const Ports& ports)
    : ports_(ports), next_probe_(ports.clock.Now()) {
  for (const platform::Card& card : cards) {
    Watched& each = cards_.emplace_back(Watched{.card = card, .health = {}});
    const auto xid = ports_.notes.Read(card.uuid);
    if (!xid || health::ClassOfXid(*xid) != health::XidClass::kTillReset) continue;
    each.health.Fault(*xid, NowNs());
    each.is_noted = each.is_note_tried = true;
  }
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
  NoteOnDisk();
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
    const bool is_cleared = each.is_noted && !ports_.notes.Has(each.card.uuid);
    const std::scoped_lock held(mutex_);
    if (is_cleared) each.health.WasReset(NowNs());
    each.health.Answered(does, NowNs());
  }
}

void CardWatch::NoteOnDisk() {
  for (Watched& each : cards_) {
    const auto xid = each.health.awaits_reset();
    if (!xid && each.is_noted) ports_.notes.Remove(each.card.uuid);
    if (!xid) each.is_noted = each.is_note_tried = false;
    if (!xid || each.is_note_tried) continue;
    each.is_note_tried = true;
    const auto written = ports_.notes.Write(each.card.uuid, *xid);
    each.is_noted = written.has_value();
    if (!written)
      ports_.log.Line(platform::LogText(
          "not noted", {{"card", each.card.uuid.Text()}, {"reason", written.error()}}));
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

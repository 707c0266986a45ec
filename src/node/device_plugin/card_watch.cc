#include "node/device_plugin/card_watch.h"

#include <algorithm>

#include "platform/log_file/log_words.h"

namespace warpshare::node {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kProbeEvery{5};
// Nearly always all have answered within it, and nobody reads what they answered before.
constexpr std::chrono::seconds kAtOnce{1};
// Whatever holds the looking thread up: figures older than this are nobody's any more.
constexpr std::chrono::seconds kTrustedFor = kProbeEvery + kHangsAfter;

milliseconds Until(steady_clock::time_point end) {
  return std::max(milliseconds(0),
                  std::chrono::duration_cast<milliseconds>(end - steady_clock::now()));
}

}  // namespace

CardWatch::CardWatch(const std::vector<platform::Card>& cards, const Ports& ports)
    : ports_(ports), next_probe_(ports.clock.Now()) {
  for (const platform::Card& card : cards) {
    Watched& each = cards_.emplace_back();
    each.card = card;
    const auto xid = ports_.notes.Read(card.uuid);
    if (!xid || health::ClassOfXid(*xid) != health::XidClass::kTillReset) continue;
    each.health.Fault(*xid, NowNs());
    each.is_noted = each.is_note_tried = true;
  }
}

std::vector<CardState> CardWatch::Cards() const {
  const std::scoped_lock held(mutex_);
  std::vector<CardState> states;
  const Time now = ports_.clock.Now();
  for (const Watched& each : cards_)
    states.push_back({each.card, each.health.is_healthy(),
                      now - each.answered_at <= kTrustedFor ? each.used : std::nullopt});
  return states;
}

void CardWatch::Look(std::chrono::milliseconds patience) {
  if (const auto fault = ports_.events->Wait(patience)) Note(*fault);
  if (ports_.clock.Now() >= next_probe_) Probe();
  for (Watched& each : cards_) Hear(each, milliseconds(0));
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

void CardWatch::Probe() {
  next_probe_ = ports_.clock.Now() + kProbeEvery;
  std::vector<Watched*> asked;
  for (Watched& each : cards_) {
    if (!each.probe) asked.push_back(&each);
    const bool is_cleared = each.is_noted && !ports_.notes.Has(each.card.uuid);
    const std::scoped_lock held(mutex_);
    if (is_cleared) each.health.WasReset(NowNs());
  }
  for (Watched* each : asked) Ask(*each);
  const auto end = steady_clock::now() + kAtOnce;
  for (Watched* each : asked) Hear(*each, Until(end));
}

void CardWatch::Ask(Watched& each) {
  each.asked_at = ports_.clock.Now();
  each.probe.emplace([events = ports_.events, card = each.card] { return events->Ask(card); });
}

void CardWatch::Hear(Watched& each, milliseconds patience) {
  if (!each.probe) return;
  const std::optional<Used> answer = each.probe->Await(patience);
  const bool hangs =
      !answer && (!each.has_answered || ports_.clock.Now() - each.asked_at >= kHangsAfter);
  if (!answer && !hangs) return;
  const std::scoped_lock held(mutex_);
  if (hangs) {
    each.used.reset();
    return each.health.Hung(NowNs());
  }
  each.probe.reset();
  each.has_answered = true;
  each.used = *answer;
  each.answered_at = ports_.clock.Now();
  each.health.Answered(answer->has_value(), NowNs());
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

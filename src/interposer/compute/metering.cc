#include "interposer/compute/metering.h"

#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

constinit guest::ForkWiped<Metering> Metering::g_metering{};

namespace {

template <typename Visit>
void WithMeter(CUstream stream, Visit visit) {
  Session* session = Session::Current();
  if (session == nullptr) return;
  const uint32_t card = Metering::CardOf(*session, stream);
  if (card < abi::kMaxCards) visit(Metering::OfProcess().meter(card), *session, card);
}

}  // namespace

uint32_t Metering::AskCard(CUstream stream) {
  const Place place = PlaceOfStream(stream);
  return place ? place.account->card() : abi::kMaxCards;
}

void Metering::CaptureEnded() {
  uint32_t captures = captures_.load(std::memory_order_relaxed);
  while (captures != 0 &&
         !captures_.compare_exchange_weak(captures, captures - 1, std::memory_order_relaxed)) {
  }
}

void Metering::InterruptAll(const abi::LimitsPageV1& limits) {
  for (uint32_t card = 0; card < limits.card_count && card < abi::kMaxCards; ++card)
    if (IsShared(limits.cards[card])) meters_[card].InterruptAll();
}

void Metering::Forget(CUcontext context) {
  for (CardMeter& meter : meters_) meter.Forget(context);
}

void StreamEnded(CUstream stream, uint64_t awaited_since_ns) {
  WithMeter(stream, [=](CardMeter& meter, Session& session, uint32_t card) {
    meter.Ended(stream, awaited_since_ns, session, card);
  });
}

void StreamAsked(CUstream stream, bool has_ended) {
  WithMeter(stream, [=](CardMeter& meter, Session& session, uint32_t card) {
    meter.Asked(stream, has_ended, session, card);
  });
}

EndWait::EndWait(For what, CUstream stream) : what_(what), stream_(stream) {
  WithMeter(stream, [this](CardMeter& meter, Session& session, uint32_t card) {
    session_ = &session;
    card_ = card;
    began_ns_ = guest::Now();
    telling_.emplace(meter, session, card);
    telling_->Tell(Tells(meter));
  });
}

// What else a stream may wait for, or an event stand for, nobody here can tell.
bool EndWait::Tells(CardMeter& meter) const {
  if (what_ == For::kStream) return meter.IsPlain(stream_);
  return (what_ == For::kContext || meter.MayBeLate()) && meter.AreAllPlain();
}

void EndWait::Ended() {
  if (session_ == nullptr) return;
  CardMeter& meter = Metering::OfProcess().meter(card_);
  if (what_ == For::kStream) return meter.Ended(stream_, began_ns_, *session_, card_);
  if (what_ == For::kContext) return meter.ContextEnded(began_ns_, *session_, card_);
  meter.SomethingEnded(began_ns_, *session_, card_);
}

void Interrupt(CUstream stream) {
  WithMeter(stream, [=](CardMeter& meter, Session&, uint32_t) { meter.Interrupt(stream); });
}

void InterruptAll() {
  const Session* session = Session::Current();
  if (session == nullptr || session->IsClosed()) return;
  Metering::OfProcess().InterruptAll(session->limits());
}

}  // namespace warpshare::interposer

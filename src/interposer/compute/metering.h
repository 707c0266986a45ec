// The GPU time of this process: the way in for the hooks of submitting functions.
//
//   WARPSHARE_HOOK CUresult cuLaunchKernel(...) {
//     return Submit(Legacy(stream), [=] { return work::Kernel(...); },
//                   [=] { return REAL(cuLaunchKernel)(...); });
//   }
//
// Passes the call through outside a tenant, on a card whose compute is not shared out
// (ComputeMode::kNone), and in a stream that records a graph: that is charged when the graph runs.
#pragma once

#include <atomic>
#include <optional>

#include "interposer/accounts/place.h"
#include "interposer/accounts/stream_order.h"
#include "interposer/compute/card_meter.h"
#include "interposer/compute/telling.h"
#include "interposer/dispatch/default_stream.h"
#include "interposer/guest/fork_wiped.h"
#include "interposer/session/session.h"

namespace warpshare::interposer {

class Metering {
 public:
  static Metering& OfProcess() { return g_metering.Get(); }

  // The card that a stream's work goes to; kMaxCards: none that is shared out.
  static uint32_t CardOf(Session& session, CUstream stream) {
    if (const CardAccount* sole = session.SoleAccount(); sole != nullptr) [[likely]]
      return IsShared(*sole) ? sole->card() : abi::kMaxCards;
    if (session.IsClosed()) return abi::kMaxCards;
    const abi::LimitsPageV1& limits = session.limits();
    if (!IsAnyShared(limits)) return abi::kMaxCards;
    const uint32_t card = limits.card_count == 1 ? 0 : AskCard(stream);
    return card < abi::kMaxCards && IsShared(limits.cards[card]) ? card : abi::kMaxCards;
  }

  // Streams may be recording; only one that is destroyed meanwhile makes it say so for longer than
  // it is true.
  static bool MayCapture() {
    return g_metering.Peek().captures_.load(std::memory_order_relaxed) != 0;
  }
  void CaptureBegan() { captures_.fetch_add(1, std::memory_order_relaxed); }
  void CaptureEnded();

  CardMeter& meter(uint32_t card) { return meters_[card]; }
  CostTable& costs() { return costs_; }
  Families& families() { return families_; }

  // It may last longer or shorter from now on.
  void Changed(const Work& work) { costs_.Of(work.name).Change(); }

  void InterruptAll(const abi::LimitsPageV1& limits);

  // The context ended, and events with it; perhaps any context.
  void Forget(CUcontext context);
  void ForgetAll() { Forget(nullptr); }

 private:
  static bool IsShared(const abi::CardLimitsV1& card) {
    return card.compute.mode.load(std::memory_order_relaxed) != abi::ComputeMode::kNone;
  }
  static bool IsShared(const CardAccount& account) {
    return account.limits() != nullptr && IsShared(*account.limits());
  }
  // Asked before the driver is, which costs more.
  static bool IsAnyShared(const abi::LimitsPageV1& limits) {
    bool is_any = false;
    for (uint32_t i = 0; i < limits.card_count && i < abi::kMaxCards; ++i) {
      is_any |= IsShared(limits.cards[i]);
    }
    return is_any;
  }
  [[gnu::cold]] static uint32_t AskCard(CUstream stream);

  std::atomic<uint32_t> captures_;
  CardMeter meters_[abi::kMaxCards];
  CostTable costs_;
  Families families_;

  static guest::ForkWiped<Metering> g_metering;
};

// The stream has ended all its work, as a thread saw that has waited for it since then; the program
// has asked whether it has.
void StreamEnded(CUstream stream, uint64_t awaited_since_ns);
void StreamAsked(CUstream stream, bool has_ended);

// A call that returns when work has ended: all of a stream, all or some of the current context's.
class EndWait {
 public:
  enum class For : uint8_t { kStream, kContext, kEvent };

  explicit EndWait(For what, CUstream stream = nullptr);

  void Ended();
  uint64_t began_ns() const { return began_ns_; }

 private:
  bool Tells(CardMeter& meter) const;

  const For what_;
  const CUstream stream_;
  Session* session_ = nullptr;  // null: its time is not shared out
  uint32_t card_ = 0;
  uint64_t began_ns_ = 0;
  std::optional<Telling> telling_;
};

// The stream waits for somebody else from now on.
void Interrupt(CUstream stream);

// For what makes a stream wait, takes no time of the card, and is never held back. In a stream that
// records nothing waits; a wait for what is recorded has the stream record, too.
template <typename Call>
CUresult Interrupt(CUstream stream, Call call) {
  const bool may_record = Metering::MayCapture();
  if (!may_record) Interrupt(stream);
  const CUresult result = call();
  if (may_record && !IsCapturing(stream)) Interrupt(stream);
  return result;
}

// For what makes all streams of a context wait. Rare, so nobody asks which card that is on: a lap
// more or less of another card's streams is not timed.
void InterruptAll();

// When a submitting call returns.
enum class Returns : uint8_t { kAtOnce, kPerhapsAtTheEnd };

template <typename Call>
struct Metered {
  Call call;
  Returns returns;
};

// On a card that is shared out.
template <typename Call>
[[gnu::always_inline]] inline CUresult SubmitMetered(Session& session, uint32_t card,
                                                     CUstream stream, const Work& work,
                                                     const Metered<Call>& metered) {
  Metering& metering = Metering::OfProcess();
  if (Metering::MayCapture() && IsCapturing(stream)) return metered.call();
  CardMeter& meter = metering.meter(card);
  Submission submission{.stream = stream,
                        .state = nullptr,
                        .cost = &metering.costs().Of(work.name),
                        .charged_ns = 0,
                        .at_ns = 0,
                        .turn_word = 0,
                        .others_ns = 0,
                        .company_ahead_ns = 0,
                        .least_others_ns = 0,
                        .is_alone = false,
                        .is_tight = false,
                        .is_held = false,
                        .is_first = false,
                        .is_behind = false,
                        .is_priced = false,
                        .is_well_priced = false,
                        .blocks = metered.returns == Returns::kPerhapsAtTheEnd};
  meter.Begin(submission, session, card, work);
  const CUresult result = metered.call();
  meter.End(submission, session, card, work, result == CUDA_SUCCESS);
  return result;
}

// `work()`: what is submitted, asked where somebody wants to know.
template <typename MakeWork, typename Call>
[[gnu::always_inline]] inline CUresult Submit(CUstream stream, MakeWork work, Call call,
                                              Returns returns = Returns::kAtOnce) {
  Session* session = Session::Current();
  if (session == nullptr) return call();
  const uint32_t card = Metering::CardOf(*session, stream);
  if (card == abi::kMaxCards) return call();
  return SubmitMetered(*session, card, stream, work(), Metered<Call>{call, returns});
}

// A call that has ended the stream's work when it returns.
template <typename MakeWork, typename Call>
CUresult SubmitAndWait(CUstream stream, MakeWork work, Call call) {
  uint64_t awaited_since_ns = 0;
  const auto await = [&] {
    const EndWait wait(EndWait::For::kStream, stream);
    awaited_since_ns = wait.began_ns();
    return call();
  };
  const CUresult result = Submit(stream, work, await, Returns::kPerhapsAtTheEnd);
  if (result == CUDA_SUCCESS) StreamEnded(stream, awaited_since_ns);
  return result;
}

}  // namespace warpshare::interposer

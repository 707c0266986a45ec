// A driver call that takes memory nobody names: it makes a context or loads code. Charged is what
// the driver reports (growth.h). What the call will take is known only from those before it, in any
// process of the tenant, so that is reserved before the driver is called:
//
//   context  what one costs on this card
//   code     the most that a load took, if that fits. If not even the least fits, the load is
//            refused. In between the driver is called, and what it loaded is unloaded if it turns
//            out not to fit.
//   other    the most that the caller says it can take; the call is refused if that does not fit
//
// While it is not known, one process measures it and holds all that is free meanwhile; the others
// wait for the result (measuring_turn.h), and hold what is free if they wait in vain.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/accounts/charged.h"
#include "interposer/accounts/driver_call.h"
#include "interposer/accounts/growth.h"
#include "interposer/accounts/measuring_turn.h"
#include "interposer/session/patience.h"

namespace warpshare::interposer {

enum class Overhead : uint8_t { kContext, kCode, kOther };

class OverheadCall {
 public:
  // What the most may be that a call of the other kind takes.
  static constexpr uint64_t kNothing = 0;
  static constexpr uint64_t kUnknown = UINT64_MAX;  // all that is free is held

  OverheadCall(const Place& place, Overhead kind, uint64_t most = kNothing);
  OverheadCall(const OverheadCall&) = delete;
  OverheadCall& operator=(const OverheadCall&) = delete;

  // False: CUDA_ERROR_OUT_OF_MEMORY, nothing is held.
  [[nodiscard]] bool Begin();
  // The driver refused.
  void Cancel();
  // The driver did it. `bytes` are what it took, charged on return. False: they do not fit; the
  // caller undoes the call, and nothing is held.
  [[nodiscard]] bool End(uint64_t& bytes);

 private:
  bool BeginContext();
  bool BeginCode();
  bool BeginOther();
  MeasuringTurn TurnToMeasure() const;
  template <typename IsKnown>
  bool AwaitKnown(IsKnown is_known);
  bool HoldToMeasure();
  template <typename TryHold>
  bool HoldPatiently(uint64_t least, TryHold try_hold);
  void HoldAllThatIsFree();
  uint64_t MostBelievable() const;
  uint64_t Measured();
  void Learn(uint64_t bytes);
  void EndTurn();
  abi::CardUsageV1& usage() const;

  CardAccount& account_;
  const Overhead kind_;
  const uint64_t most_;
  GrowthMeter meter_;
  Patience patience_;
  uint64_t expected_ = 0;
  uint64_t held_ = 0;
  uint64_t room_ = 0;  // of what is held
  bool has_turn_ = false;
};

// Makes something by `call`, charges what it took and enters it.
struct OverheadRequest {
  LiveTable& table;
  const Place& place;  // its context is the owner of the entry
  Overhead kind;
  DriverCall call;
  guest::FunctionRef<uint64_t()> key;  // of what the driver made
  DriverCall undo;                     // if it does not fit
};
CUresult AllocateOverhead(const OverheadRequest& request);

// An `undo` that leaves `*made` as it is now, before the call: what is refused writes no output.
template <typename Handle, typename Undo>
auto UndoUnwritten(Handle* made, Undo undo) {
  return [made, undo, before = *made] {
    const CUresult result = undo(*made);
    *made = before;
    return result;
  };
}

}  // namespace warpshare::interposer

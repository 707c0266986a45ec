// Bytes that were freed in a stream's order and that the driver still holds: until the stream gets
// there, or its context ends. A driver calls no host functions after an error that stays with a
// context, so who waits for one may wait in vain.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/accounts/live_table.h"

namespace warpshare::interposer {

// Not a part of what is entered of a card (Accounts::BytesOn): when the driver lets go of these
// bytes is not known.
class PendingFrees {
 public:
  // `live`: what is to be given back; its owner is the stream's context, 0 if that is not known.
  // Returns a name for End, never given twice. 0: without memory to remember it in; then the bytes
  // stay charged for as long as the process lives.
  uint64_t Add(const Live& live);

  // The first of the two that meets an entry gives its bytes back.
  void End(uint64_t name);
  template <typename IsMeant>  // is_meant(live)
  void EndIf(IsMeant is_meant) {
    pending_.TakeIf([=](uint64_t, const Live& live) { return is_meant(live); },
                    [](uint64_t, const Live& live) { GiveBack(live); });
  }

 private:
  static void GiveBack(const Live& live);

  LiveTable pending_;
  std::atomic<uint64_t> last_name_;
};

}  // namespace warpshare::interposer

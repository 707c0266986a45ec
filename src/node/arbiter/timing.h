// The times that the arbiter goes by, in ns, beside those of the policies (policy/share/timing.h).
#pragma once

#include <cstdint>

#include "abi/region/compute.h"
#include "policy/share/timing.h"

namespace warpshare::node {

// Tenants keep to their static share within 1 s of the arbiter's end: a turn's word is good for
// half of that, and renewed in time even if four renewals are late.
inline constexpr uint64_t kValidNs = share::kAwayNs;
inline constexpr uint64_t kRenewNs = 100'000'000;

// Two looks are at least so far apart, whoever asks for them.
inline constexpr uint64_t kLeastLookNs = 20'000;

// While others wait, the holder's work is looked after this often at most: half of kLingerNs.
inline constexpr uint64_t kWatchNs = 50'000;

// The next tenant is told so long before the work of the one before is expected to end. If it is
// quicker, its work waits on the card.
using abi::kHandoverNs;

// While there is a tenant of high priority, one of low priority has no more in flight than the
// kernel that runs, or is about to: this is less than any kernel.
inline constexpr uint32_t kLowAheadUs = 1;

// The only tenant of a card, unless it has a cap, has nobody whom it would hold up: more in flight
// keeps the card busy when its thread is late, as it is by 50 us at the end of each graph, and by
// milliseconds where processors are short. Whoever comes waits for that once.
inline constexpr uint32_t kLoneAheadUs = 8'000;

// After its turn, a tenant's work in flight is waited for so long; a kernel of 20 ms is, with room.
// Once it was waited for in vain, it is the second bound, until it is seen to end in time.
inline constexpr uint64_t kMostDrainNs = 50'000'000;
inline constexpr uint64_t kMostDistrustedDrainNs = 5'000'000;

// No process is believed to have more in flight than this.
inline constexpr uint64_t kMostBusyNs = 1'000'000'000;

// Nor that it waits for it for longer than this after it should have ended. Who waits needs the
// second to wake up; is it not back by then, and lengths vary, the work is late, and will not be
// over before the third.
inline constexpr uint64_t kMostLateEndNs = 100'000'000;
inline constexpr uint64_t kWakesUpNs = 100'000;
inline constexpr uint64_t kOverdueNs = 2 * kHandoverNs;

// GPU time that a process may report ahead of the clock, as it does when it counts what it submits;
// and the most that it may catch up on.
inline constexpr uint64_t kAheadNs = 5'000'000;
inline constexpr uint64_t kMostCaughtUpNs = 10'000'000'000;
// Of a tenant's time with the card, so much that several processes may still tell together: what a
// process may have in flight and be late with.
inline constexpr uint64_t kMostUntoldNs = 100'000'000;

// A process that still waits after its tenant might run for so long does not come when it is
// called: it was killed or stopped. Longer than a busy machine takes to schedule it, shorter than
// the 3.3 ms after which a turn is over in which nothing was used.
inline constexpr uint64_t kNoShowNs = 3'000'000;
// Then its waiting does not count for so long, twice as long each time, so many times.
inline constexpr uint64_t kLeastIgnoredNs = 10'000'000;
inline constexpr uint32_t kMostMisses = 5;

// A tenant with a cap that paused may go on without being woken for so long; meanwhile it is looked
// at often, so that it is not far above its cap before it is seen.
inline constexpr uint64_t kCappedRestNs = 10'000'000;
inline constexpr uint64_t kCappedLookNs = 500'000;

// The turn of a tenant with a cap is over by itself when the arbiter is later than this, as on a
// busy machine or when it hangs.
inline constexpr uint64_t kLateNs = 1'000'000;

// A turn tells what the handover before it cost (handover_cost.h) if so much was in flight whenever
// it was looked at: a program that waits for its kernels never has that at their ends, one that is
// far ahead always does. A turn that began so long after the card was free is late for other
// reasons. No card is believed to lose more than the last.
inline constexpr uint64_t kSaturatedNs = 50'000;
inline constexpr uint64_t kMostBeganLateNs = 100'000;
inline constexpr uint64_t kMostHandoverNs = 1'000'000;

// Of one tenant's processes, so many are looked at in one step, the next ones in the next.
inline constexpr uint32_t kSlotsPerLook = 64;
inline constexpr uint64_t kNextSlotsNs = 1'000'000;

// A tenant that calls more often than this in a window is heard at the window's end.
inline constexpr uint32_t kMostCalls = 16;
inline constexpr uint64_t kCallWindowNs = 1'000'000;

}  // namespace warpshare::node

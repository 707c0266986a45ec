// The times that metering goes by, in ns, each with what it is a compromise between.
#pragma once

#include <cstdint>

#include "abi/region/compute.h"

namespace warpshare::interposer {

// A lap of a busy stream: one event (about 1 us) in so much of its work.
inline constexpr uint64_t kLapNs = 500'000;

// A submission is timed alone while its cost is new, and then as often as the pauses allow, the
// second once it is well known: two events, some microseconds of a thread that waits for each
// kernel.
inline constexpr uint32_t kNewSamples = 3;
inline constexpr uint32_t kKnownSamples = 16;
inline constexpr uint64_t kAlonePauseNs = 1'000'000;
inline constexpr uint64_t kKnownPauseNs = 5'000'000;

// When a turn begins the card may still be at what the tenant before left it, and for how long
// nobody here knows: it is handed over early by abi::kHandoverNs, and 400 us were seen on a busy
// machine. The second submission is timed in place of the first, unless there was none for so long.
inline constexpr uint64_t kMostLeftNs = 3 * abi::kHandoverNs;
inline constexpr uint64_t kAnyLeftNs = 1'000'000'000;
inline constexpr uint64_t kFirstPauseNs = 50'000'000;

// What costs as much is timed every time, for a five-hundredth of it: work of one name may last
// longer here and shorter there.
inline constexpr uint64_t kAlwaysTimedNs = 1'000'000;

// And so is what varies: a sample of it says little of those between. Where the stream has work all
// along, only from this on; laps have the others. No less is told from how finely short work is
// timed.
inline constexpr uint64_t kVaryingTimedNs = 100'000;
inline constexpr uint64_t kLeastVaryingNs = 20'000;

// Work that nothing timed, and that ends so much later than expected, as a thread sees that waits
// for it, may vary. So much later it is charged by the clock: far longer than a thread takes to
// wake up on a busy machine.
inline constexpr uint64_t kNotedLateNs = 500'000;
inline constexpr uint64_t kLateByClockNs = 5'000'000;
// All that only where no other thread has submitted for so long: far longer than the time for which
// each of some threads has a processor in turn.
inline constexpr uint64_t kSoleThreadNs = 100'000'000;

// A stream whose work is expected to end within so long may have run dry before a call gets there.
inline constexpr uint64_t kTightNs = 20'000;

// A stream that has come to the end of a lap so soon after the call was fed too slowly: there were
// gaps in that lap. Longer than a call takes, far shorter than what a busy stream is behind.
inline constexpr uint64_t kDryNs = 30'000;

// Two events around one submission to a stream that had nothing to do measure also how long this
// thread took between them. Beyond this part of what it costs that is a rough measure.
inline constexpr uint64_t kRoughPart = 64;

// Other processes' work that should have ended so long ago may be in the way still: several that
// are at the card in turns know roughly when each of them is done.
inline constexpr uint64_t kNearNs = 200'000;

// Who waits for so long was there when the work ended. Of a tenant that had work which nobody
// waited for, it is taken to have more for the second, which is longer than a tenant is without a
// turn.
inline constexpr uint64_t kWaitedNs = 5'000;
inline constexpr uint64_t kUnwaitedNs = 200'000'000;

// Whoever comes to a card that nobody uses has it for so long, whoever comes after: half of the
// shortest slice in which drivers part it.
inline constexpr uint64_t kSliceNs = 1'000'000;

// What ended so long ago, and nobody came to wait for: a thread that waits is awake by then.
inline constexpr uint64_t kUnseenNs = 1'000'000;

// A process that has met others is timed as one that does, until it has done so much alone.
inline constexpr uint64_t kCompanyNs = 8'000'000;

// Recording an event takes about 1 us. Who needs so long was interrupted, and where the stream had
// nothing left to do by then that time is in the lap, but not the card's.
inline constexpr uint64_t kLongRecordNs = 5'000;

// Waiting for work in flight. Timers are late by 50 us, launching a graph takes as long, and the
// card must not run dry meanwhile. The second where the arbiter wants as little as can be in
// flight. Then there is none before what is so long that a gap is hardly missed: whoever comes
// while there are two of them would wait for both.
inline constexpr uint64_t kTimerLateNs = 60'000;
inline constexpr uint64_t kLeastAheadNs = 100'000;
inline constexpr uint64_t kLowestAheadNs = 40'000;
inline constexpr uint64_t kBearsAGapNs = 1'000'000;

// Of what varies, by the mean, where no other tenant would use the gaps. Of 20 us to 2 ms these are
// two kernels, not five: of five there were up to 7 ms too much in some 100 ms, of two 4.
inline constexpr uint64_t kVaryingAheadNs = 700'000;

// Work of a new kind is waited for without sleeping so long beyond its guess, as most of it is
// short.
inline constexpr uint64_t kKeenNs = 200'000;

// A stream that was told to wait for something, and is so late when the card should have nothing to
// do, does wait. What it is given then is no work for the card yet, and is let through.
inline constexpr uint64_t kHeldNs = 500'000;

// Work that makes no progress may wait for what this call, or a later one, submits. After so long
// one call is let through, the next after half of that, and so on, until there is progress.
inline constexpr uint64_t kStuckNs = 100'000'000;

// More of the same work in the same stream, not known to be short: it is long, rather, and each one
// more that is let through lasts as long. So one in kStuckNs for this long.
inline constexpr uint64_t kStuckAtOneKindNs = 2'000'000'000;

// What was waited for in vain twice in a row is that long, within this part of it.
inline constexpr uint64_t kSameLengthPart = 2;

// How late it may be seen that a lap is over.
inline constexpr uint64_t kLateLookNs = 5'000'000;

// Sleeping for a turn: looks by itself whether the word is still renewed.
inline constexpr uint64_t kTurnLookNs = 50'000'000;

// Without an arbiter: the longest time that a tenant may have saved up of its static share.
inline constexpr uint64_t kStaticBurstNs = 10'000'000;

}  // namespace warpshare::interposer

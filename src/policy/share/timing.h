// The times that the decisions turn on, in ns, each with what it is a compromise between.
#pragma once

#include <cstdint>

namespace warpshare::share {

// A turn when others wait. A handover costs some 30 us, 1.2 % of it, and both of two tenants that
// own half a card each have to be within 1 point. A kernel of 2 ms may make it 4 ms, and who comes
// back to its own share must have it within 5.
inline constexpr uint64_t kQuantumNs = 2'500'000;

// Where a handover costs more, turns are longer (turn_length.h): so that each of some equal tenants
// misses no more than this of the card by it, as they have to be within 1 point, and all no more
// than that, as it has to be 97 % busy. Some 2 ms in flight lengthen a turn beyond its quantum.
inline constexpr uint64_t kLostOfEachPermille = 8;
inline constexpr uint64_t kLostInAllPermille = 24;

// No longer than this, whatever a handover costs: a tenant of half the card is 0.6 points off in
// some seconds for that alone.
inline constexpr uint64_t kMostQuantumNs = 12'000'000;

// A turn when nobody waits. It is renewed at half time, so it never ends by itself.
inline constexpr uint64_t kLongTurnNs = 100'000'000;

// What a guaranteed tenant has to be owed before it gets a turn when others have work. Each such
// turn costs two handovers, 3 % of it, unless the next one is of the same kind.
inline constexpr uint64_t kStartNs = 2'000'000;

// Where a handover costs more it has to be owed more, so that the two take no more than
// kLostInAllPermille of the card; but it waits for that no longer than this, which is less than
// kMostOverdueNs, as it would never be owed so much then.
inline constexpr uint64_t kMostWaitToStartNs = 10'000'000;

// The same for a hard tenant alone, and what one may come back with. Between this and the debt that
// one kernel of 2 ms leaves lie less than the 3 ms by which 100 ms may be missed at 3 points.
inline constexpr uint64_t kStartAloneNs = 750'000;

// Whoever has the card goes on until it is owed no more than this: shorter turns are not worth it.
inline constexpr uint64_t kLeastTurnNs = 100'000;

// A tenant that launches, waits for the end and launches again is out of work for so long at most.
// It keeps its turn meanwhile; others would use the gap for a whole kernel.
inline constexpr uint64_t kLingerNs = 100'000;

// Of its turns while others wait, whoever uses less is charged for so much of them, and may leave
// gaps that others could use: who uses more has all that it was promised as it is.
inline constexpr uint64_t kLeavesGapsPermille = 750;

// Shared turns (shared_turns.h), in time in which at least two tenants have work. In turns long
// enough for each of eight tenants to have some and be measured; shared long enough that those in
// between cost a tenth of what sharing gains; when tried, as short as tells one from the other.
inline constexpr uint64_t kTurnsWhileNs = 100'000'000;
inline constexpr uint64_t kSharedWhileNs = 900'000'000;
inline constexpr uint64_t kTriedWhileNs = 100'000'000;
inline constexpr uint64_t kLeastJudgedNs = 5'000'000;  // of turns, before anything is said of them

// Shared turns are worth it if so much more of the card is used and everybody has at least the
// second of what it had, or may have: as much as one while differs from another.
inline constexpr uint64_t kWorthSharingPermille = 50;
inline constexpr uint64_t kServedPermille = 900;
// Where they were good the last time, among the same tenants, no more and so much is enough: what a
// program does changes from one while to the next.
inline constexpr uint64_t kStillServedPermille = 700;

// They are tried again so long after they were not, at first and at last.
inline constexpr uint64_t kLeastSharePauseNs = 1'000'000'000;
inline constexpr uint64_t kMostSharePauseNs = 64'000'000'000;

// Who shares the card may be out of work for so long, as between two steps of a training, until it
// has to ask for it again.
inline constexpr uint64_t kSharedLingerNs = 20'000'000;

// Who shares the card is looked at so often, as it may come to the end of what it is owed.
inline constexpr uint64_t kSharedLookNs = 5'000'000;

// A program that waits for its work and then needs so long before it has more only pauses. Of what
// it was owed it keeps a turn's worth, or it would begin anew after each kernel and have 6 % of
// the card where it was promised a half. Longer than what programs do between two steps; within
// it, a turn's worth is 2 ms in place of 0.75 at most.
inline constexpr uint64_t kPauseNs = 2'000'000;

// Guaranteed tenants that all wait for their due cannot all be served: the card is promised twice,
// a high priority has it, or handovers ate it. They are owed no more than so much of wall time,
// which covers one kernel of 20 ms of somebody who has no guarantee.
inline constexpr uint64_t kMostOverdueNs = 25'000'000;

// Who is alone is late only because its own threads were, or the arbiter's. It takes back so much
// at full speed, and what it is owed beyond that at this part of the time: 2.5 points above its cap
// over 100 ms, and 0.7 over a second.
inline constexpr uint64_t kMostOwedAloneNs = 2'000'000;
inline constexpr uint32_t kTakesBackPermille = 5;

// Deadlines are no farther than this, so that the smallest shares do not wait seconds for theirs.
inline constexpr uint64_t kMostDeadlineNs = 50'000'000;

// How far being urgent moves a tenant up in its class: past some rounds of turns, not past those
// that were passed over for longer. In a class by weight it is worth so much GPU time, once.
inline constexpr uint64_t kUrgencyNs = 100'000'000;
inline constexpr uint64_t kUrgencyByWeightNs = 8'000'000;

// Whoever hands out turns and did not look for so long was away, and the tenants kept to their
// static shares by themselves (node/arbiter/timing.h).
inline constexpr uint64_t kAwayNs = 500'000'000;

// No kernel is worth a longer wait than it takes to pay this back.
inline constexpr uint64_t kMostDebtNs = 10'000'000'000;

}  // namespace warpshare::share

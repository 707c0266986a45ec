#include "policy/share/decide.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "policy/share/by_weight.h"
#include "policy/share/guarantee.h"
#include "policy/share/timing.h"
#include "policy/share/turn_length.h"

namespace warpshare::share {

namespace {

struct Contender {
  const Tenant* tenant = nullptr;
  const Account* account = nullptr;
  Standing standing;
  uint64_t waiting_since_ns = 0;

  bool GoesBefore(const Contender& other) const {
    const auto key = [](const Contender& c) {
      return std::tuple(c.standing.claim, -c.standing.merit, c.waiting_since_ns, c.tenant->id);
    };
    return other.tenant == nullptr || key(*this) < key(other);
  }
};

// Those that one turn is for.
struct Race {
  Contender best;
  Contender holder;  // of the turn, if it still has a claim
  size_t contenders = 0;

  void Enter(const Contender& contender, bool has_turn) {
    ++contenders;
    if (has_turn) holder = contender;
    if (contender.GoesBefore(best)) best = contender;
  }
};

struct Field {
  Race turns;
  Race gaps;  // of those who may have the card beside others
  size_t in_play = 0;
  uint64_t look_again_ns = kNever;
  std::vector<Contender> beside;
};

Turn NewTurn(const Contender& contender, uint64_t at_most_ns) {
  const uint64_t quantum_ns = std::min(at_most_ns, contender.standing.longest_ns);
  return {.tenant = contender.tenant->id,
          .claim = contender.standing.claim,
          .begun_used_ns = contender.tenant->used_ns,
          .quantum_ns = std::max(quantum_ns, kLeastTurnNs)};
}

void Enter(Field& field, const Candidate& candidate, const Snapshot& snapshot) {
  const Contender contender{&candidate.tenant, &candidate.account, StandingOf(candidate),
                            WaitingSince(candidate)};
  if (contender.standing.stronger_in_ns != kNever)
    field.look_again_ns =
        std::min(field.look_again_ns, candidate.now_ns + contender.standing.stronger_in_ns);
  if (contender.standing.claim == Claim::kNone) return;
  if (!candidate.tenant.wants)
    field.look_again_ns =
        std::min(field.look_again_ns, candidate.tenant.since_ns + LingerNs(candidate));
  const bool has_turn = snapshot.turn && snapshot.turn->tenant == candidate.tenant.id;
  const bool fills_gaps = FillsGaps(candidate);
  (fills_gaps ? field.gaps : field.turns).Enter(contender, has_turn);
  if (fills_gaps) field.beside.push_back(contender);
}

// In two passes: what the tenants are together says what each of them may claim.
Field Survey(const Snapshot& snapshot, const Accounts& accounts) {
  Field field;
  MeanOverdue mean;
  for (const Tenant& tenant : snapshot.tenants) {
    const Account* account = accounts.Find(tenant.id);
    if (account == nullptr) continue;
    const Candidate candidate{.tenant = tenant,
                              .account = *account,
                              .now_ns = snapshot.now_ns,
                              .holds = Holds(snapshot, tenant),
                              .alone = false,
                              .is_shared = accounts.shared.are_on};
    field.in_play += IsInPlay(candidate) ? 1 : 0;
    mean.Meet(candidate);
  }
  for (const Tenant& tenant : snapshot.tenants) {
    const Account* account = accounts.Find(tenant.id);
    if (account == nullptr) continue;
    Enter(field,
          {.tenant = tenant,
           .account = *account,
           .now_ns = snapshot.now_ns,
           .holds = Holds(snapshot, tenant),
           .alone = field.in_play == 1,
           .mean_overdue_ns = mean.Ns(),
           .handover_ns = snapshot.handover_ns,
           .is_shared = accounts.shared.are_on},
          snapshot);
  }
  return field;
}

// Is the turn neither over nor outdone by a stronger claim?
bool GoesOn(const Race& race, const std::optional<Turn>& turn, bool is_for_gaps) {
  if (race.holder.tenant == nullptr) return false;
  if (is_for_gaps) return true;
  return race.holder.standing.claim == turn->claim && race.best.standing.claim >= turn->claim &&
         race.holder.account->turn_charged_ns < turn->quantum_ns && !race.best.standing.cuts_in;
}

// Has it had more than its part by weight, of what those have who take turns?
bool IsAhead(const Contender& contender, const Race& turns) {
  if (turns.contenders == 0 || contender.standing.claim != Claim::kSurplus ||
      turns.best.standing.claim != Claim::kSurplus)
    return false;
  const int64_t quantum = ProgressOf(turns.best.tenant->terms, kQuantumNs);
  return contender.standing.merit + quantum < turns.best.standing.merit;
}

// Beside the turn. As before, as long as its claim is the same.
void DecideBeside(const Field& field, const Snapshot& snapshot, Decision& decision) {
  for (const Contender& contender : field.beside) {
    const TenantId tenant = contender.tenant->id;
    if (tenant == decision.turn->tenant) continue;
    uint64_t left_ns = std::min(contender.standing.longest_ns, kSharedLookNs);
    if (IsAhead(contender, field.turns)) {
      left_ns = kQuantumNs;
    } else {
      const Turn* turn = TurnOf(snapshot, tenant);
      const bool goes_on = turn != nullptr && turn->claim == contender.standing.claim;
      decision.beside.push_back(goes_on ? *turn : NewTurn(contender, kLongTurnNs));
    }
    decision.look_again_ns =
        std::min(decision.look_again_ns, snapshot.now_ns + std::max(left_ns, kLeastTurnNs));
  }
}

}  // namespace

Decision Decide(const Snapshot& snapshot, const Accounts& accounts) {
  const Field field = Survey(snapshot, accounts);
  Decision decision{.turn = std::nullopt, .look_again_ns = field.look_again_ns};
  const bool is_for_gaps = field.turns.contenders == 0;
  const Race& race = is_for_gaps ? field.gaps : field.turns;
  if (race.contenders == 0) return decision;

  const bool goes_on = GoesOn(race, snapshot.turn, is_for_gaps);
  const Contender& next = goes_on ? race.holder : race.best;
  const uint64_t quantum_ns = QuantumNs(snapshot.handover_ns, field.in_play);
  uint64_t left_ns = 0;
  if (race.contenders == 1 || is_for_gaps) {
    decision.turn = NewTurn(next, kLongTurnNs);
    left_ns = std::min(decision.turn->quantum_ns, kLongTurnNs / 2);
  } else if (goes_on && snapshot.turn->quantum_ns - next.account->turn_charged_ns <= quantum_ns) {
    decision.turn = snapshot.turn;
    left_ns = snapshot.turn->quantum_ns - next.account->turn_charged_ns;
  } else {
    decision.turn = NewTurn(next, quantum_ns);
    left_ns = decision.turn->quantum_ns;
  }
  decision.look_again_ns =
      std::min(decision.look_again_ns, snapshot.now_ns + std::max(left_ns, kLeastTurnNs));
  DecideBeside(field, snapshot, decision);
  return decision;
}

}  // namespace warpshare::share

#include "policy/share/decide.h"

#include <algorithm>
#include <tuple>

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

struct Field {
  Contender best;
  Contender holder;  // of the turn, if it still has a claim
  size_t contenders = 0;
  size_t in_play = 0;
  uint64_t look_again_ns = kNever;
};

void Enter(Field& field, const Candidate& candidate) {
  const Contender contender{&candidate.tenant, &candidate.account, StandingOf(candidate),
                            WaitingSince(candidate)};
  if (contender.standing.stronger_in_ns != kNever)
    field.look_again_ns =
        std::min(field.look_again_ns, candidate.now_ns + contender.standing.stronger_in_ns);
  if (contender.standing.claim == Claim::kNone) return;
  if (!candidate.tenant.wants)
    field.look_again_ns = std::min(field.look_again_ns, candidate.tenant.since_ns + kLingerNs);
  ++field.contenders;
  if (candidate.holds) field.holder = contender;
  if (contender.GoesBefore(field.best)) field.best = contender;
}

// In two passes: what the tenants are together says what each of them may claim.
Field Survey(const Snapshot& snapshot, const Accounts& accounts) {
  Field field;
  MeanOverdue mean;
  for (const Tenant& tenant : snapshot.tenants) {
    const Account* account = accounts.Find(tenant.id);
    if (account == nullptr) continue;
    const Candidate candidate{tenant, *account, snapshot.now_ns, Holds(snapshot, tenant), false};
    field.in_play += IsInPlay(candidate) ? 1 : 0;
    mean.Meet(candidate);
  }
  for (const Tenant& tenant : snapshot.tenants) {
    const Account* account = accounts.Find(tenant.id);
    if (account == nullptr) continue;
    Enter(field, {tenant, *account, snapshot.now_ns, Holds(snapshot, tenant),
                  /*alone=*/field.in_play == 1, mean.Ns(), snapshot.handover_ns});
  }
  return field;
}

// Is the turn neither over nor outdone by a stronger claim?
bool GoesOn(const Field& field, const std::optional<Turn>& turn) {
  return field.holder.tenant != nullptr && field.holder.standing.claim == turn->claim &&
         field.best.standing.claim >= turn->claim &&
         field.holder.account->turn_charged_ns < turn->quantum_ns && !field.best.standing.cuts_in;
}

Turn NewTurn(const Contender& contender, uint64_t at_most_ns) {
  const uint64_t quantum_ns = std::min(at_most_ns, contender.standing.longest_ns);
  return {.tenant = contender.tenant->id,
          .claim = contender.standing.claim,
          .begun_used_ns = contender.tenant->used_ns,
          .quantum_ns = std::max(quantum_ns, kLeastTurnNs)};
}

}  // namespace

Decision Decide(const Snapshot& snapshot, const Accounts& accounts) {
  const Field field = Survey(snapshot, accounts);
  Decision decision{.turn = std::nullopt, .look_again_ns = field.look_again_ns};
  if (field.contenders == 0) return decision;

  const bool goes_on = GoesOn(field, snapshot.turn);
  const Contender& next = goes_on ? field.holder : field.best;
  const uint64_t quantum_ns = QuantumNs(snapshot.handover_ns, field.in_play);
  uint64_t left_ns = 0;
  if (field.contenders == 1) {
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
  return decision;
}

}  // namespace warpshare::share

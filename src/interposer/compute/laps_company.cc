// A lap beside work of the tenant's other processes: what of it was this one's, and what all of
// them are charged for it together.
#include "interposer/compute/laps.h"
#include "interposer/compute/timing.h"
#include "interposer/compute/unwaited.h"
#include "interposer/compute/within.h"
#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

namespace {

// Of what is known, in company, by a lap. There are hundreds of them in a second, and of those that
// others had a part of hardly any says less than it is, while many say more.
constexpr uint64_t kCompanyRaise = 512;

// What the card took, of what was charged for it, in parts of Company::kOne: beyond the first, more
// than work in flight explains, the price is too low; beyond the second, no price is right.
constexpr uint64_t kTooLowRatio = Company::kOne * 6 / 5;
constexpr uint64_t kVariesRatio = Company::kOne * 3 / 2;

// A known price goes an eighth of the way at a time (Cost::Learn): so often, and it is half way.
constexpr int kHalfWay = 5;

}  // namespace

// Charged to all processes of the tenant so far; 0: it has one.
uint64_t Laps::ChargedEverNs() const {
  const abi::UsagePageV1* usage = usage_.load(std::memory_order_relaxed);
  return usage == nullptr ? 0 : TenantUsedNs(*usage, card_.load(std::memory_order_relaxed));
}

// Whether other processes' work may be what made it last. When that ends is expected, not known, so
// that the queue may not have told: then it is enough that they may have had any.
bool Laps::HadCompany(const Lap& lap, uint64_t lasted_ns, const CardQueue& queue,
                      const abi::CardWorkV1& page, uint64_t now_ns) const {
  if (queue.HadCompany(lap.ticket - lap.all_ns)) return true;
  const abi::UsagePageV1* usage = usage_.load(std::memory_order_relaxed);
  if (usage == nullptr || lasted_ns <= lap.charged_ns + lap.charged_ns / kRoughPart) return false;
  if (lap.company_ahead_ns != 0 || OthersOf(ChargedEverNs(), page) != lap.company_ns) return true;
  return HaveOthersWorkedSince(*usage, card_.load(std::memory_order_relaxed), page,
                               now_ns - lasted_ns - kCompanyNs);
}

// Where all of the tenant's work is waited for, and what is not short is timed each time: what
// passed since the end before it, whoever's that was, is what it took.
bool Laps::IsToldByEnds(const Lap& lap, uint64_t lasted_ns, abi::CardUsageV1& all) const {
  if (!lap.is_alone || lap.cost == nullptr || lap.is_distrusted) return false;
  const bool is_known = lap.cost->samples() >= kNewSamples && !lap.cost->varies();
  if (is_known && lap.charged_ns < kVaryingTimedNs) return false;
  const uint64_t now_ns = guest::Now();
  if (IsUnwaited(all.unwaited_ns, now_ns)) return false;
  const uint64_t end_ns = lap.at_ns + lasted_ns < now_ns ? lap.at_ns + lasted_ns : now_ns;
  if (WasAwaited(lap, end_ns, now_ns)) return true;
  NoteUnwaited(all.unwaited_ns, now_ns);
  return false;
}

// Where lengths vary, each is timed, or laps have all of it; no price tells what a single one
// takes. Copies seem to vary, as their ends are seen late.
bool Laps::HasVaried(const Lap& lap) {
  if (lap.cost != nullptr && lap.cost->varies() && !lap.is_sized)
    varies_until_ns_ = covered_until_ns_ + kUnwaitedNs;
  return varies_until_ns_ > covered_until_ns_;
}

// By a thread, which was there when it ended, so that it is looked at no later than others' work.
// Where several threads submit, one may be about to say so.
bool Laps::WasAwaited(const Lap& lap, uint64_t end_ns, uint64_t now_ns) const {
  if (!lap.is_sole && now_ns <= end_ns + kUnseenNs) return true;
  return awaited_ns_.load(std::memory_order_relaxed) >= lap.at_ns;
}

// What the card did for the tenant's processes, beside what work was charged that is over. False:
// too little of that is timed for it to say anything of this lap.
bool Laps::BookOfTenant(const Lap& lap, const Covered::Stretch& fresh, uint64_t lasted_ns,
                        bool had_company, CardQueue& queue, abi::CardWorkV1& page) {
  abi::UsagePageV1* usage = usage_.load(std::memory_order_relaxed);
  if (usage == nullptr || !HasCompany(*usage) || lap.has_gaps || lasted_ns == 0) return false;
  abi::CardUsageV1& all = usage->cards[card_.load(std::memory_order_relaxed)];
  queue.IsOver(lap.ticket);
  if (!DoAllTellOver(*usage, card_.load(std::memory_order_relaxed), guest::Now() - kUnwaitedNs))
    return false;
  if (had_company) company_until_ns_ = covered_until_ns_ + kUnwaitedNs;
  const bool has_varied = HasVaried(lap);
  const bool is_told = had_company && IsToldByEnds(lap, lasted_ns, all);
  const bool counts = is_told || (has_varied && company_until_ns_ > covered_until_ns_);
  const TenantCover::Stretch stretch =
      TenantCover::Add(all.covered, OfTenant(lap, lasted_ns, is_told),
                       all.over_ns.load(std::memory_order_relaxed), counts);
  if (!counts) {
    if (had_company) DoubtPrice(lap, stretch, all);
    return false;
  }
  const int64_t owed_ns = stretch.owed_ns;
  queue.Correct(page, owed_ns < 0 ? static_cast<uint64_t>(-owed_ns) : 0,
                owed_ns > 0 ? static_cast<uint64_t>(owed_ns) : 0);
  return TeachOfTenant(lap, fresh, stretch, lasted_ns, is_told);
}

// False: it says nothing of what is new.
bool Laps::TeachOfTenant(const Lap& lap, const Covered::Stretch& fresh,
                         const TenantCover::Stretch& stretch, uint64_t lasted_ns, bool is_told) {
  if (lap.cost == nullptr || lap.is_distrusted) return true;
  if (!is_told) TeachByTime(*lap.cost, stretch);
  const uint64_t own_ns = stretch.ns < lasted_ns ? stretch.ns : lasted_ns;
  if (own_ns == 0) return !lap.is_new;
  if (lap.cost->is_unknown()) {
    lap.cost->LearnDoubtful(own_ns);
    return true;
  }
  // Nothing else was over since the lap before.
  const bool is_its_own = stretch.charged_ns <= lap.charged_ns + TenantCover::kUnitNs &&
                          fresh.charged_ns == lap.charged_ns;
  if (!lap.is_alone) return true;
  if (is_its_own || (!is_told && lap.cost->varies())) lap.cost->NoteLongest(own_ns);
  if (is_told && is_its_own) lap.cost->LearnBetween(own_ns, own_ns);
  return true;
}

void Laps::TeachByTime(Cost& cost, const TenantCover::Stretch& stretch) {
  const uint64_t ratio = company_.Ratio(stretch.ns, stretch.charged_ns);
  if (ratio != 0 && !cost.is_unknown()) MovePrice(cost, ratio);
}

// In a queue nobody is alone to measure what it takes, and lengths that vary are not seen. Where
// the card takes far longer than all are charged for, each is to be timed.
void Laps::DoubtPrice(const Lap& lap, const TenantCover::Stretch& stretch,
                      const abi::CardUsageV1& all) {
  const bool is_queue = !lap.is_alone || IsUnwaited(all.unwaited_ns, covered_until_ns_);
  if (lap.cost == nullptr || !is_queue) return;
  const uint64_t ratio = company_.Ratio(stretch.ns, stretch.charged_ns);
  if (ratio > kTooLowRatio) MovePrice(*lap.cost, ratio);
  const bool is_known = lap.cost->samples() >= kKnownSamples;
  if (ratio > kVariesRatio && is_known)
    lap.cost->NoteLongest(2 * (lap.cost->ns() + kLeastVaryingNs));
}

// Of a turn that is over it may have waited for another tenant, but not for longer than was
// expected.
TenantCover::Lap Laps::OfTenant(const Lap& lap, uint64_t lasted_ns, bool is_told) const {
  TenantCover::Lap of_tenant{.begin_ns = covered_until_ns_ - lasted_ns,
                             .end_ns = covered_until_ns_,
                             .unsure_ns = 0,
                             .is_sole_news = is_told,
                             .most_ns = UINT64_MAX};
  if (MayHaveWaited(lap)) {
    const uint64_t late_ns = covered_until_ns_ > lap.end_ns ? covered_until_ns_ - lap.end_ns : 0;
    const uint64_t expected_ns = lasted_ns > late_ns ? lasted_ns - late_ns : 0;
    of_tenant.most_ns = expected_ns > lap.charged_ns ? expected_ns : lap.charged_ns;
    return of_tenant;
  }
  const uint64_t unsure_ns = lasted_ns - LeastNs(lap, lasted_ns);
  if (lap.left_ns != 0 || unsure_ns > kDryNs) of_tenant.unsure_ns = unsure_ns;
  return of_tenant;
}

// Whose of several queues the time was nobody can tell: all prices are moved by the same part, half
// way at a time, as the others' are, too.
void Laps::MovePrice(Cost& cost, uint64_t ratio) {
  const uint64_t most = 2 * Company::kOne;
  const uint64_t right_ns = cost.ns() * Within(ratio, Company::kOne / 2, most) / Company::kOne;
  for (int i = 0; i < kHalfWay; ++i) cost.LearnBetween(right_ns, right_ns);
}

// What the others' work does not account for was its own: all that they had in flight when it
// began, and all that they were charged since. That may have been done later, so it is the least;
// but it may have been more than was expected. Where they had nothing, the card began with this.
uint64_t Laps::OwnNs(const Lap& lap, uint64_t lasted_ns, const abi::CardWorkV1& page) const {
  const uint64_t others_ns = OthersOf(ChargedEverNs(), page);
  if (others_ns < lap.company_ns) return 0;
  const uint64_t least_ns = LeastNs(lap, lasted_ns);
  const uint64_t ahead_ns = lap.company_ahead_ns;
  const uint64_t behind_ns = least_ns > ahead_ns ? least_ns - ahead_ns : 0;
  const uint64_t since_ns = OfLap(lap, lasted_ns, others_ns - lap.company_ns, behind_ns);
  const uint64_t rest_ns = behind_ns > since_ns ? behind_ns - since_ns : 0;
  const uint64_t slice_ns = ahead_ns == 0 ? Within(kSliceNs, 0, least_ns) : 0;
  return rest_ns > slice_ns ? rest_ns : slice_ns;
}

// Of what others were charged since it began: all, but if that is more than there was time for, the
// lap is looked at long after its end. Where nothing better is known it is its part of the time
// since.
uint64_t Laps::OfLap(const Lap& lap, uint64_t lasted_ns, uint64_t charged_ns, uint64_t most_ns) {
  const uint64_t passed_ns = guest::Now() - lap.at_ns;
  const bool is_known = lap.cost->samples() >= kNewSamples;
  if (is_known || charged_ns <= most_ns || passed_ns <= lasted_ns) return charged_ns;
  return Part(charged_ns, lasted_ns, passed_ns);
}

// Of work that is known, and alike, what lasted longer was others': what these have in flight is
// reckoned.
void Laps::BookInCompany(const Lap& lap, const Covered::Stretch& fresh, CardQueue& queue,
                         abi::CardWorkV1& page) {
  const uint64_t charged_ever_ns = ChargedEverNs();
  if (charged_ever_ns == 0 || lap.cost == nullptr) return;
  const uint64_t own_ns = OwnNs(lap, fresh.ns, page);
  const bool is_known = lap.cost->is_steady();
  const uint64_t more_ns = own_ns > fresh.charged_ns && !is_known ? own_ns - fresh.charged_ns : 0;
  const uint64_t owed_ns = company_.Owed(LeastNs(lap, fresh.ns), more_ns, charged_ever_ns);
  queue.Correct(page, 0, owed_ns);
}

// It came to a card that nobody used, as far as is known: no other process, and no tenant before.
bool Laps::IsFirstOnCard(const Lap& lap) {
  return lap.company_ahead_ns == 0 && lap.first_at_ns == 0 && lap.left_ns == 0;
}

// What was the first on the card says as much as ever, but for what comes behind it; and others may
// have had more in flight than they knew of. So what is known well is raised by little at a time.
void Laps::TeachInCompany(const Lap& lap, uint64_t least_ns, uint64_t most_ns) {
  Cost& cost = *lap.cost;
  if (IsSeenLate(lap, 0, most_ns)) return cost.LearnSeenLate(0, most_ns);
  if (!IsFirstOnCard(lap) || cost.varies()) return cost.LearnAtMost(least_ns, most_ns);
  if (least_ns > most_ns || repeats_.IsShortest(cost, most_ns)) least_ns = most_ns;
  const bool is_known = cost.is_sure() && cost.samples() >= kKnownSamples;
  if (is_known && !repeats_.IsTooLow(cost, least_ns))
    return cost.LearnRough(least_ns, most_ns, kCompanyRaise);
  LearnBetween(lap, least_ns, most_ns);
}

}  // namespace warpshare::interposer

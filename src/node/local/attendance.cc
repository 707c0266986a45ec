#include "node/local/attendance.h"

#include <algorithm>
#include <set>
#include <utility>

#include "node/tenancy/leftovers.h"
#include "node/tenancy/presence.h"

namespace warpshare::node {

Attendance::Attendance(StateDir state, const AttendancePorts& ports)
    : state_(std::move(state)),
      ports_(ports),
      cards_(ports.clock, ports.futex),
      claims_(ports.card_names) {
  if (auto watched = ports_.watch.WatchFolder(state_.tenants_path()); !watched)
    ports_.log.Line(watched.error().message + ": new tenants are seen late");
}

Attendance::~Attendance() {
  for (auto& [name, guest] : guests_)
    for (const auto& [card, seat] : guest.seats) cards_.Remove(seat);
}

void Attendance::Look() {
  FindGuests();
  for (auto& [name, guest] : guests_) FitSeats(name, guest);
  cards_.LookNow();
  ClaimCards();
  LogProblems();
  for (const std::string& news : handovers_.Of(cards_.HandoversNs())) ports_.log.Line(news);
}

bool Attendance::IsAnybodySeated() const {
  return std::ranges::any_of(guests_, [](const auto& each) { return !each.second.seats.empty(); });
}

bool Attendance::IsAnybodyExpected() {
  FindGuests();
  return std::ranges::any_of(guests_, [](const auto& each) {
    const TenantFiles& files = each.second.files;
    for (uint32_t card = 0; card < files.card_count(); ++card)
      if (files.HasTerms(card)) return true;
    return false;
  });
}

void Attendance::SeeOff() {
  for (auto at = guests_.begin(); at != guests_.end();) {
    auto& [name, guest] = *at;
    if (guest.files.AreAt(guest.dir) && IsInUse(guest.dir)) {
      ++at;
      continue;
    }
    while (!guest.seats.empty()) GetUp(name, guest, guest.seats.begin()->first);
    ports_.watch.Forget(guest.watch);
    at = guests_.erase(at);
  }
}

// A name that came back may be another tenant's: first those who left.
void Attendance::FindGuests() {
  SeeOff();
  const std::vector<std::string> names = TenantNames(state_);
  for (const std::string& name : names) {
    if (guests_.contains(name)) continue;
    const auto welcome = Welcome(name);
    LogOnce(name, welcome ? "" : welcome.error().message);
  }
  std::erase_if(logged_,
                [&](const auto& each) { return !std::ranges::binary_search(names, each.first); });
}

// Watched before its terms are read, so that no change falls between; and after the page was
// opened, since closing one that will not do would be told of, and make it be opened again.
Result<void> Attendance::Welcome(const std::string& name) {
  const auto tenant = TenantDir::Open(state_.tenants_path() + "/" + name);
  if (!tenant) return Fail(tenant.error());
  if (!IsInUse(*tenant)) return {};
  auto files = TenantFiles::Open(*tenant);
  if (!files) return Forward(files);
  guests_.try_emplace(name, *tenant, std::move(*files), WatchTerms(*tenant));
  return {};
}

platform::WatchId Attendance::WatchTerms(const TenantDir& tenant) {
  const auto watch = ports_.watch.WatchFile(tenant.limits_path());
  if (watch) return *watch;
  ports_.log.Line(watch.error().message + ": changed terms are seen late");
  return platform::kNoWatch;
}

void Attendance::FitSeats(const std::string& name, Guest& guest) {
  for (uint32_t card = 0; card < guest.files.card_count(); ++card) {
    const bool sits = guest.seats.contains(card);
    if (sits == guest.files.HasTerms(card)) continue;
    if (sits) {
      GetUp(name, guest, card);
      continue;
    }
    const SeatId seat = cards_.Add(guest.files.Uuid(card), guest.files.Pages(card));
    guest.seats.emplace(card, seat);
    ports_.log.Line(name + " shares " + seat.card.ShortText());
  }
}

void Attendance::GetUp(const std::string& name, Guest& guest, uint32_t card) {
  const auto at = guest.seats.find(card);
  cards_.Remove(at->second);
  ports_.log.Line(name + " does not share " + at->second.card.ShortText() + " any more");
  guest.seats.erase(at);
}

void Attendance::LogProblems() {
  const auto problems = cards_.Problems();
  for (const auto& [name, guest] : guests_) {
    std::string text;
    for (const auto& [card, seat] : guest.seats)
      if (const auto problem = problems.find(seat); problem != problems.end())
        text = seat.card.ShortText() + ": " + problem->second;
    LogOnce(name, text);
  }
}

void Attendance::ClaimCards() {
  for (const std::string& news : claims_.Fit(cards_.InUse())) ports_.log.Line(news);
}

void Attendance::LogOnce(const std::string& name, const std::string& text) {
  if (std::string& logged = logged_[name]; logged != text) {
    logged = text;
    if (!text.empty()) ports_.log.Line("tenant " + name + ": " + text);
  }
}

}  // namespace warpshare::node

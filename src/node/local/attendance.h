// Who is there: each tenant of a state folder that is in use sits at the cards it has compute terms
// for, and gets up when the terms or the tenant are gone.
//
// A tenant's folder that cannot be served (half made, of another version, cut short) is logged
// once, and looked at again like any other.
#pragma once

#include <map>
#include <string>

#include "node/local/card_claims.h"
#include "node/local/card_loops.h"
#include "node/local/handover_news.h"
#include "node/local/tenant_files.h"
#include "node/tenancy/state_dir.h"
#include "node/tenancy/tenant_dir.h"
#include "platform/change_watch/change_watch.h"
#include "platform/log_file/log_file.h"

namespace warpshare::node {

struct AttendancePorts {
  platform::Clock& clock;
  platform::Futex& futex;
  platform::ChangeWatch& watch;
  platform::Log& log;
  std::string card_names = kArbiterNames;
};

class Attendance {
 public:
  Attendance(StateDir state, const AttendancePorts& ports);
  ~Attendance();  // all get up: their processes go over to their static share
  Attendance(const Attendance&) = delete;
  Attendance& operator=(const Attendance&) = delete;

  // Looks at all tenants again. What calls for it is watched; that a tenant was killed is not, nor
  // what is wrong with a page, so it is to be called now and then without a call, too.
  void Look();

  bool IsAnybodySeated() const;

  // Would Look seat somebody? Seats nobody.
  bool IsAnybodyExpected();

 private:
  // A tenant in use, whether or not it has a seat.
  struct Guest {
    Guest(TenantDir tenant, TenantFiles opened, platform::WatchId watched)
        : dir(std::move(tenant)), files(std::move(opened)), watch(watched) {}

    TenantDir dir;
    TenantFiles files;  // stays where it is while somebody sits
    platform::WatchId watch;
    std::map<uint32_t, SeatId> seats;  // by the page's card
  };
  using Guests = std::map<std::string, Guest>;

  void FindGuests();
  void SeeOff();
  Result<void> Welcome(const std::string& name);
  platform::WatchId WatchTerms(const TenantDir& tenant);
  void FitSeats(const std::string& name, Guest& guest);
  void GetUp(const std::string& name, Guest& guest, uint32_t card);
  void LogProblems();
  void ClaimCards();
  void LogOnce(const std::string& name, const std::string& text);

  const StateDir state_;
  AttendancePorts ports_;
  CardLoops cards_;
  CardClaims claims_;
  HandoverNews handovers_;
  Guests guests_;
  std::map<std::string, std::string> logged_;  // what is wrong, by name; said already
};

}  // namespace warpshare::node

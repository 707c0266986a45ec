#include "platform/kube/elector.h"

#include <algorithm>

namespace warpshare::kube {

struct Elector::Impl : std::enable_shared_from_this<Elector::Impl> {
  Impl(Client& with, const Clock& by, ElectorOptions what, ElectorEvents whom)
      : client(with),
        clock(by),
        options(std::move(what)),
        events(std::move(whom)),
        view(options.identity, options.times),
        next_look(client.loop()),
        end_of_lead(client.loop()) {}

  void Look() {
    // What is not answered by then is asked again on another connection.
    next_look.Set(leading ? options.times.renew_time / 2 : options.times.duration,
                  [this] { Look(); });
    if (view.MayLead(clock.Now())) return Take();
    call = client.Get(kLeases, options.lease, [this](Result<json::Document> lease) {
      const auto alive = shared_from_this();
      Looked(std::move(lease));
    });
  }

  void Looked(Result<json::Document> lease) {
    if (!lease && lease.error().code != Errc::kNotFound) return Trouble(lease.error());
    std::optional<LeaseRecord> record;
    if (lease) {
      auto read = ReadLease(lease->root());
      if (!read) return Trouble(read.error());
      record = std::move(*read);
    }
    const Clock::Time now = clock.Now();
    view.Seen(std::move(record), now);
    view.MayTake(now) ? Take() : LookLater();
  }

  // Writes over exactly what was seen, or what was written last: whoever else was quicker wins.
  void Take() {
    const Clock::Time sent = clock.Now();
    auto taken = [this, sent](Result<json::Document> lease) {
      const auto alive = shared_from_this();
      Taken(std::move(lease), sent);
    };
    std::string text = LeaseText(Words(options.identity));
    call = view.record()
               ? client.Replace(kLeases, options.lease, std::move(text), std::move(taken))
               : client.Create(kLeases, options.lease.space, std::move(text), std::move(taken));
  }

  LeaseWords Words(std::string holder) const {
    return {.space = options.lease.space,
            .name = options.lease.name,
            .holder = std::move(holder),
            .transitions = view.next_transitions(),
            .resource_version = view.record() ? view.record()->resource_version : "",
            .duration = options.times.duration,
            .now = std::chrono::system_clock::now()};
  }

  void Taken(Result<json::Document> lease, Clock::Time sent) {
    if (!lease && lease.error().code == Errc::kConflict) {
      // Somebody else wrote: a leader whose Lease was taken away does not lead for a moment longer.
      view.Seen(std::nullopt, clock.Now());
      StopLeading();
      return ended ? void() : LookLater();
    }
    if (!lease) return Trouble(lease.error());
    auto record = ReadLease(lease->root());
    if (!record) return Trouble(record.error());
    view.Renewed(std::move(*record), sent);
    if (!view.MayLead(clock.Now())) return LookLater();  // the answer came too late
    // The deadline stands before anything is done as a leader.
    end_of_lead.Set(view.leads_until() - clock.Now(), [this] {
      const auto alive = shared_from_this();
      IsLeader();
    });
    const bool began = !std::exchange(leading, true);
    LookLater();
    if (began) events.leads();
  }

  bool IsLeader() {
    if (leading && !view.MayLead(clock.Now())) {
      view.StopLeading();
      StopLeading();
    }
    return leading;
  }

  void StopLeading() {
    end_of_lead.Cancel();
    if (std::exchange(leading, false)) events.lost();
  }

  void Trouble(const Error& error) {
    next_look.Set(options.times.retry_time, [this] { Look(); });
    events.trouble(error);
  }

  Clock::Duration PauseOfLeader() const {
    return std::max(options.times.retry_time, options.times.renew_time / 2);
  }

  Clock::Duration PauseOfStandby() const {
    const Clock::Duration left = view.may_take_at() - clock.Now();
    if (left <= Clock::Duration::zero()) return options.times.retry_time;
    return std::min<Clock::Duration>(options.times.retry_time, left);
  }

  void LookLater() {
    next_look.Set(leading ? PauseOfLeader() : PauseOfStandby(), [this] { Look(); });
  }

  void Release(std::function<void()> released) {
    const bool led = view.MayLead(clock.Now());
    next_look.Cancel();
    call = {};
    view.StopLeading();
    StopLeading();
    if (!led) return client.loop().Post(std::move(released));
    // A renewal that was under way may still win: then the Lease ends by itself.
    const auto once = std::make_shared<std::function<void()>>(std::move(released));
    const auto finish = [once] {
      if (const auto callback = std::exchange(*once, nullptr)) callback();
    };
    call = client.Replace(kLeases, options.lease, LeaseText(Words("")),
                          [finish](const auto&) { finish(); });
    next_look.Set(options.times.renew_time, finish);
  }

  Client& client;
  const Clock& clock;
  const ElectorOptions options;
  const ElectorEvents events;
  LeaseView view;
  platform::Timer next_look;
  platform::Timer end_of_lead;
  http::Call call;
  bool leading = false;
  bool ended = false;
};

Elector::Elector(Client& client, const Clock& clock, ElectorOptions options, ElectorEvents events)
    : impl_(std::make_shared<Impl>(client, clock, std::move(options), std::move(events))) {}

Elector::~Elector() {
  impl_->ended = true;
  impl_->call = {};
  impl_->next_look.Cancel();
  impl_->end_of_lead.Cancel();
}

void Elector::Start() { impl_->Look(); }
bool Elector::IsLeader() { return impl_->IsLeader(); }

const std::string& Elector::holder() const {
  static const std::string nobody;
  return impl_->view.record() ? impl_->view.record()->holder : nobody;
}

void Elector::Release(std::function<void()> released) { impl_->Release(std::move(released)); }

}  // namespace warpshare::kube

#include "cluster/extender/binder.h"

#include <utility>

#include "abi/names/annotations.h"
#include "cluster/extender/verbs.h"
#include "platform/log_file/log_words.h"
#include "pods/pod_json.h"
#include "policy/place/filter.h"
#include "policy/place/grant.h"
#include "policy/request/warpshare_names.h"

namespace warpshare::cluster {

namespace {

kube::ObjectName NameOf(const BindArgs& args) {
  return {.space = args.pod_namespace, .name = args.pod_name};
}

// The API server has said no; anything else may have gone through all the same.
bool IsRefusal(Errc code) {
  return code == Errc::kNotFound || code == Errc::kConflict || code == Errc::kPermission ||
         code == Errc::kInvalid;
}

Result<request::Request> RequestFrom(json::View pod, const BindArgs& args) {
  const request::PodView view = pods::PodViewOf(pod);
  if (view.uid != args.pod_uid)
    return Fail(Errc::kConflict, "the pod was made anew in the meantime");
  if (!view.node_name.empty()) return Fail(Errc::kConflict, "the pod is on " + view.node_name);
  return request::ParseWarpshareNames(view);
}

}  // namespace

uint64_t Binder::After(std::chrono::seconds time) const {
  const auto at = ports_.clock.Now() + time;
  return static_cast<uint64_t>(std::chrono::nanoseconds(at.time_since_epoch()).count());
}

void Binder::Bind(const BindArgs& args, Done done) {
  if (IsBinding(args.pod_uid)) return done("the pod is being bound already");
  const request::Request* request = ports_.view.FindWaiting(args.pod_uid);
  if (request != nullptr) return Place(args, *request, std::move(done));
  Ask(args, std::move(done));
}

// The watch has not shown the pod yet, or it asks for no cards.
void Binder::Ask(const BindArgs& args, Done done) {
  calls_[args.pod_uid] =
      ports_.client.Get(kube::kPods, NameOf(args),
                        [this, args, done = std::move(done)](const Result<json::Document>& pod) {
                          const http::Call ended = std::move(calls_.extract(args.pod_uid).mapped());
                          if (!pod) return done(pod.error().message);
                          const auto request = RequestFrom(pod->root(), args);
                          if (!request) return done(request.error().message);
                          Place(args, *request, done);
                        });
}

void Binder::Place(const BindArgs& args, const request::Request& request, Done done) {
  if (!ports_.leads()) return done("not leading any more: another one serves");
  if (!request::WantsCards(request)) return Send(args, "", std::move(done));
  auto assignment = Reserve(args, request);
  if (!assignment) return done(assignment.error().message);
  Send(args, std::move(*assignment), std::move(done));
}

Result<std::string> Binder::Reserve(const BindArgs& args, const request::Request& request) {
  ClusterView& view = ports_.view;
  view.DropReservation(args.pod_uid);  // what Prioritize held
  const auto node = view.ledger().FindNode(args.node);
  if (!node) return Fail(Errc::kNotFound, std::string(ReasonText(place::Reason::kNoNode)));
  const place::Shape shape = place::MakeShape(request, view.ledger());
  place::Placer placer(view.ledger(), view.outlook(), shape);
  place::Placement placement;
  if (!placer.Place(*node, placement)) {
    std::vector<place::Verdict> verdicts;
    place::Filter(view.ledger(), shape, {&*node, 1}, place::HostCheck::kSkip, verdicts);
    return Fail(Errc::kUnavailable, std::string(ReasonText(verdicts.front().reason)));
  }
  const place::PodHold hold = place::HoldOf(request, view.ledger(), *node, placement);
  if (auto reserved = view.Reserve(request, hold, After(times_.bind)); !reserved)
    return Forward(reserved);
  return request::Encode(place::AssignmentOf(request, view.ledger(), *node, placement));
}

void Binder::Send(const BindArgs& args, std::string assignment, Done done) {
  kube::Binding binding{.pod = NameOf(args), .uid = args.pod_uid, .node = args.node};
  if (!assignment.empty())
    binding.annotations.emplace_back(abi::kAnnotationAssignment, std::move(assignment));
  calls_[args.pod_uid] = ports_.client.Bind(
      binding, [this, args, done = std::move(done)](const Result<json::Document>& answer) {
        const http::Call ended = std::move(calls_.extract(args.pod_uid).mapped());
        const auto settled = Settle(args, answer);
        done(settled ? "" : settled.error().message);
      });
}

Result<void> Binder::Settle(const BindArgs& args, const Result<json::Document>& answer) {
  if (answer) {
    ports_.view.Keep(args.pod_uid);
    return {};
  }
  if (IsRefusal(answer.error().code))
    ports_.view.GiveBack(args.pod_uid);
  else
    ports_.view.Doubt(args.pod_uid, After(times_.doubt));
  ports_.log.Line(platform::LogText("bind-failed", {{"pod", NameOf(args).Text()},
                                                    {"uid", args.pod_uid},
                                                    {"node", args.node},
                                                    {"error", answer.error()}}));
  return Fail(answer.error());
}

void Binder::Abandon() {
  for (const auto& [uid, call] : calls_) ports_.view.Doubt(uid, After(times_.doubt));
  calls_.clear();
}

}  // namespace warpshare::cluster

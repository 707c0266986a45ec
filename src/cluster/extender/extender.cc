#include "cluster/extender/extender.h"

#include <algorithm>
#include <optional>

#include "cluster/extender/preempt.h"
#include "types/printable.h"

namespace warpshare::cluster {

namespace {

http::Response Refusal(unsigned status, std::string_view error) {
  return http::Response::Json(ErrorText(error), status);
}

http::Response BadBody(const Error& error) { return Refusal(400, error.message); }

constexpr size_t kSpareUnplaced = 64;
// Pods that wait for others to leave; those forgotten may drive out more than they need.
constexpr size_t kMostCleared = 1'024;
// kube-scheduler looks again after a second and drives nobody out meanwhile, as it does for pods
// that fit nowhere.
constexpr std::string_view kElsewhere =
    "no room on the nodes that kube-scheduler has looked at so far; another is in "
    "status.nominatedNodeName for its next look";
constexpr std::string_view kTooEarly =
    "no room on the nodes that kube-scheduler has looked at so far, and the pod is too new to be "
    "named another";

std::optional<Verb> VerbOf(std::string_view path) {
  for (size_t i = 0; i < kVerbNames.size(); ++i)
    if (path.starts_with('/') && path.substr(1) == kVerbNames[i]) return static_cast<Verb>(i);
  return std::nullopt;
}

// Of the most promising node, in the order of the reasons: a model that is full says more than
// thousands of nodes with others.
place::Reason LastOf(const ReasonCounts& refused) {
  size_t last = refused.size() - 1;
  while (last > 0 && refused[last] == 0) --last;
  return static_cast<place::Reason>(last);
}

}  // namespace

void Extender::Handle(const http::Request& request, const http::Responder& responder) {
  const std::string_view path = std::string_view(request.path).substr(kExtenderPrefix.size());
  const auto verb = VerbOf(path);
  if (!verb)
    return responder.Respond(Refusal(
        404, "no verb '" + Printable(path, 64) + "': there are filter, prioritize, bind, preempt"));
  if (request.method != "POST") {
    http::Response refusal = Refusal(405, "a verb takes POST");
    refusal.headers.Add("Allow", "POST");
    return responder.Respond(std::move(refusal));
  }
  Answer(*verb, request, responder);
}

void Extender::Answer(Verb verb, const http::Request& request, const http::Responder& responder) {
  const auto began = ports_.clock.Now();
  const auto finish = [this, verb, began, responder](http::Response response, bool is_error) {
    VerbStats::Answers& answers = stats_.verbs[static_cast<size_t>(verb)];
    answers.latency.Count(ports_.clock.Now() - began);
    if (is_error) ++answers.errors;
    responder.Respond(std::move(response));
  };
  if (!serves_ || !ports_.leads())
    return finish(Refusal(503, "not serving: another one leads, or the cluster is not known yet"),
                  true);
  const auto body = json::Document::Parse(request.body, {.bytes = kMaxBodyBytes});
  if (!body) return finish(BadBody(body.error()), true);
  if (verb == Verb::kBind) return Bind(body->root(), finish);
  http::Response response =
      verb == Verb::kPreempt ? AnswerVictims(body->root()) : AnswerNodes(verb, body->root());
  const bool is_error = response.status != 200;
  finish(std::move(response), is_error);
}

FilterAnswer Extender::LookForNodes(const NodesArgs& asked, uint64_t hold_until_ns) {
  FilterAnswer answer = cluster::AnswerFilter(ports_.view, lookup_, asked, hold_until_ns);
  if (answer.passed == 0 && foresight_ != nullptr && foresight_->HoldsAnything())
    foresight_->LookPast(
        [&] { answer = cluster::AnswerFilter(ports_.view, lookup_, asked, hold_until_ns); });
  return answer;
}

// Of a pod that found no room. "": it has seen all nodes, or there is nothing better to tell it.
std::string_view Extender::WhyLookAgain(const NodesArgs& asked, const std::string& uid,
                                        const FilterAnswer& answer) {
  if (foresight_ == nullptr) return "";
  if (!answer.asked.empty()) return foresight_->NameElsewhere(uid, answer.asked) ? kElsewhere : "";
  if (asked.has_nodes || answer.refused[static_cast<size_t>(place::Reason::kBadRequest)] != 0)
    return "";
  return foresight_->IsTooEarly(uid, asked.names.size()) ? kTooEarly : "";
}

http::Response Extender::AnswerFilter(const NodesArgs& asked, uint64_t hold_until_ns) {
  FilterAnswer answer = LookForNodes(asked, hold_until_ns);
  for (size_t i = 0; i < answer.refused.size(); ++i) stats_.refused_nodes[i] += answer.refused[i];
  const std::string uid(asked.pod["metadata"]["uid"].StringOr(""));
  stats_.unplaced.erase(uid);
  if (foresight_ != nullptr && !answer.asked.empty()) foresight_->NoteAsked(uid, answer.asked);
  if (answer.passed == 0) NoteCleared(asked, uid);
  const std::string_view why = answer.passed == 0 ? WhyLookAgain(asked, uid, answer) : "";
  if (!why.empty()) return http::Response::Json(ErrorText(why));
  // Questions about pods that nobody else knows are not remembered.
  if (answer.passed == 0 && ports_.view.FindWaiting(uid) != nullptr)
    stats_.unplaced.emplace(uid, LastOf(answer.refused));
  // Pods that went without ever being placed.
  if (stats_.unplaced.size() > 2 * ports_.view.counts().waiting + kSpareUnplaced)
    std::erase_if(stats_.unplaced, [this](const auto& unplaced) {
      return ports_.view.FindWaiting(unplaced.first) == nullptr;
    });
  return http::Response::Json(std::move(answer.text));
}

http::Response Extender::AnswerNodes(Verb verb, json::View body) {
  const auto asked = ReadNodesArgs(body);
  if (!asked) return BadBody(asked.error());
  DropHold(asked->pod);
  const auto until = ports_.clock.Now() + times_.hold;
  const auto until_ns =
      static_cast<uint64_t>(std::chrono::nanoseconds(until.time_since_epoch()).count());
  if (verb == Verb::kFilter) return AnswerFilter(*asked, until_ns);
  return http::Response::Json(AnswerPrioritize(ports_.view, lookup_, *asked, until_ns));
}

void Extender::NoteCleared(const NodesArgs& asked, const std::string& uid) {
  const std::string_view named = asked.pod["status"]["nominatedNodeName"].StringOr("");
  if (named.empty() || std::ranges::find(asked.names, named) == asked.names.end()) return;
  if (cleared_.size() >= kMostCleared) cleared_.clear();
  cleared_.insert_or_assign(uid, std::string(named));
}

http::Response Extender::AnswerVictims(json::View body) {
  const auto asked = ReadPreemptArgs(body);
  if (!asked) return BadBody(asked.error());
  std::string answer;
  const auto noted = cleared_.extract(std::string(asked->pod["metadata"]["uid"].StringOr("")));
  const std::string cleared = noted ? noted.mapped() : "";
  // Who is only planned for is nowhere that kube-scheduler could drive it away from.
  const auto look = [&] { answer = AnswerPreempt(ports_.view, *asked, cleared); };
  foresight_ == nullptr ? look() : foresight_->LookPast(look);
  return http::Response::Json(std::move(answer));
}

void Extender::DropHold(json::View pod) {
  const std::string uid(pod["metadata"]["uid"].StringOr(""));
  if (!binder_.IsBinding(uid)) ports_.view.DropReservation(uid);
}

void Extender::Bind(json::View body, const Finish& finish) {
  const auto args = ReadBindArgs(body);
  if (!args) return finish(BadBody(args.error()), true);
  binder_.Bind(*args, [this, uid = args->pod_uid, finish](const std::string& error) {
    if (error.empty()) stats_.unplaced.erase(uid);
    finish(http::Response::Json(ErrorText(error)), !error.empty());
  });
}

void Extender::Serve(bool serves) {
  if (serves_ && !serves) binder_.Abandon();
  serves_ = serves;
}

}  // namespace warpshare::cluster

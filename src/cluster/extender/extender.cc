#include "cluster/extender/extender.h"

#include "cluster/extender/verbs.h"
#include "types/printable.h"

namespace warpshare::cluster {

namespace {

http::Response Refusal(unsigned status, std::string_view error) {
  return http::Response::Json(ErrorText(error), status);
}

http::Response BadBody(const Error& error) { return Refusal(400, error.message); }

bool IsVerb(std::string_view verb) {
  return verb == "/filter" || verb == "/prioritize" || verb == "/bind" || verb == "/preempt";
}

}  // namespace

void Extender::Handle(const http::Request& request, const http::Responder& responder) {
  const std::string_view verb = std::string_view(request.path).substr(kExtenderPrefix.size());
  if (!IsVerb(verb))
    return responder.Respond(Refusal(
        404, "no verb '" + Printable(verb, 64) + "': there are filter, prioritize, bind, preempt"));
  if (request.method != "POST") {
    http::Response refusal = Refusal(405, "a verb takes POST");
    refusal.headers.Add("Allow", "POST");
    return responder.Respond(std::move(refusal));
  }
  if (!serves_)
    return responder.Respond(
        Refusal(503, "not serving: another one leads, or the cluster is not known yet"));
  const auto body = json::Document::Parse(request.body, {.bytes = kMaxBodyBytes});
  if (!body) return responder.Respond(BadBody(body.error()));
  if (verb == "/bind") return Bind(body->root(), responder);
  responder.Respond(Answer(verb, body->root()));
}

http::Response Extender::Answer(std::string_view verb, json::View body) {
  return verb == "/preempt" ? AnswerVictims(body) : AnswerNodes(verb, body);
}

http::Response Extender::AnswerNodes(std::string_view verb, json::View body) {
  const auto asked = ReadNodesArgs(body);
  if (!asked) return BadBody(asked.error());
  DropHold(asked->pod);
  if (verb == "/filter") return http::Response::Json(AnswerFilter(ports_.view, lookup_, *asked));
  const auto until = ports_.clock.Now() + times_.hold;
  return http::Response::Json(AnswerPrioritize(
      ports_.view, lookup_, *asked,
      static_cast<uint64_t>(std::chrono::nanoseconds(until.time_since_epoch()).count())));
}

http::Response Extender::AnswerVictims(json::View body) {
  const auto asked = ReadPreemptArgs(body);
  if (!asked) return BadBody(asked.error());
  return http::Response::Json(AnswerPreempt(ports_.view, *asked));
}

void Extender::DropHold(json::View pod) {
  const std::string uid(pod["metadata"]["uid"].StringOr(""));
  if (!binder_.IsBinding(uid)) ports_.view.DropReservation(uid);
}

void Extender::Bind(json::View body, const http::Responder& responder) {
  const auto args = ReadBindArgs(body);
  if (!args) return responder.Respond(BadBody(args.error()));
  binder_.Bind(*args, [responder](const std::string& error) {
    responder.Respond(http::Response::Json(ErrorText(error)));
  });
}

void Extender::Serve(bool serves) {
  if (serves_ && !serves) binder_.Abandon();
  serves_ = serves;
}

}  // namespace warpshare::cluster

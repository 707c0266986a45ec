#include "apps/warpshare/cluster/explain_command.h"

#include <algorithm>
#include <cstdio>

#include "apps/warpshare/cluster/cluster_session.h"
#include "apps/warpshare/cluster/explain_json.h"
#include "apps/warpshare/cluster/explain_text.h"
#include "apps/warpshare/complaint.h"
#include "types/printable.h"

namespace warpshare::app {

namespace {

using report::PodStory;

void Print(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) std::puts(line.c_str());
}

Result<PodStory> FindPod(ClusterSession& session, const std::string& name) {
  auto pod = report::Await(session.client(), [&](kube::Client::Done done) {
    return session.client().Get(kube::kPods, {.space = session.space(), .name = name},
                                std::move(done));
  });
  if (!pod && pod.error().code == Errc::kNotFound)
    return Fail(Errc::kNotFound, "no pod " + Printable(name) + " in namespace " +
                                     Printable(session.space()) +
                                     ": name another namespace by -n, or see: warpshare inspect "
                                     "pods");
  if (!pod) return Forward(pod);
  return report::PodStoryOf(pod->root());
}

Result<kube::ObjectName> QuotasOf(const std::string& text) {
  if (text.empty()) return kube::ObjectName{};
  const size_t slash = text.find('/');
  if (slash == 0 || slash == std::string::npos || slash + 1 == text.size())
    return Fail(Errc::kInvalid, "--quotas " + Printable(text) + ": write NAMESPACE/NAME");
  return kube::ObjectName{.space = text.substr(0, slash), .name = text.substr(slash + 1)};
}

int ExplainSimple(const ExplainOptions& options, const PodStory& pod) {
  if (options.cluster.output == "json")
    std::puts(ExplanationJson({.pod = pod}).c_str());
  else
    Print(SimpleLines(pod));
  return pod.has_ended || !pod.asks_for_cards ? kSuccess : kWaits;
}

int ExplainWaiting(const ExplainOptions& options, ClusterSession& session, const PodStory& pod) {
  auto quotas = QuotasOf(options.quotas);
  if (!quotas) return ExitWith(quotas.error());
  report::Survey survey;
  const auto gaps = session.Read({.quotas = std::move(*quotas)}, survey);
  if (!gaps) return ExitWith(gaps.error());
  const report::WhyWaiting why = report::ExplainWaiting(survey, pod);
  if (options.cluster.output == "json")
    std::puts(ExplanationJson({.pod = pod, .why = &why, .quota_gap = gaps->quotas}).c_str());
  else
    Print(WaitingLines(pod, why,
                       {.is_wide = options.cluster.output == "wide", .quota_gap = gaps->quotas}));
  return why.fitting != 0 && !why.quota && !pod.is_gated ? kSuccess : kWaits;
}

int ExplainPlaced(const ExplainOptions& options, ClusterSession& session, const PodStory& pod) {
  report::Survey survey;
  const auto gaps = session.Read({.node = pod.facts.node}, survey);
  // A node that is gone is something to tell of, and no reason to tell nothing.
  if (!gaps && gaps.error().code != Errc::kNotFound) return ExitWith(gaps.error());
  const report::Whereabouts whereabouts = report::ExplainPlaced(survey, pod);
  if (options.cluster.output == "json")
    std::puts(ExplanationJson({.pod = pod, .whereabouts = &whereabouts}).c_str());
  else
    Print(PlacedLines(pod, whereabouts));
  const bool is_stuck = std::ranges::any_of(pod.containers, &PodStory::Container::is_stuck);
  return whereabouts.problems.empty() && !is_stuck ? kSuccess : kDisagrees;
}

}  // namespace

int Explain(const ExplainOptions& options) {
  auto session = ClusterSession::Open(options.cluster);
  if (!session) return ExitWith(session.error());
  const auto pod = FindPod(**session, options.pod);
  if (!pod) return ExitWith(pod.error());
  const bool is_bad_request = pod->facts.node.empty() && !pod->facts.problem.empty();
  if (pod->has_ended || !pod->asks_for_cards || is_bad_request) return ExplainSimple(options, *pod);
  if (pod->facts.node.empty()) return ExplainWaiting(options, **session, *pod);
  return ExplainPlaced(options, **session, *pod);
}

}  // namespace warpshare::app

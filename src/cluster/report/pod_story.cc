#include <initializer_list>

#include "cluster/report/explanation.h"
#include "pods/pod_json.h"
#include "types/printable.h"

namespace warpshare::report {

namespace {

constexpr size_t kMostWords = 1024;

std::string Words(json::View view) { return Printable(view.StringOr(""), kMostWords); }

std::string SchedulerSays(json::View pod) {
  for (const json::View condition : pod["status"]["conditions"].items())
    if (condition["type"].StringOr("") == "PodScheduled" &&
        condition["status"].StringOr("") == "False")
      return Words(condition["message"]);
  return "";
}

PodStory::Container ContainerOf(json::View status) {
  PodStory::Container container{.name = Words(status["name"])};
  container.restarts =
      static_cast<uint64_t>(std::max<int64_t>(status["restartCount"].IntegerOr(0), 0));
  const json::View state = status["state"];
  if (state["running"]) {
    container.state = "running";
  } else if (state["terminated"]) {
    container.state = "ended: " + Words(state["terminated"]["reason"]);
  } else {
    const std::string reason = Words(state["waiting"]["reason"]);
    const std::string message = Words(state["waiting"]["message"]);
    container.state = "waiting: " + reason + (message.empty() ? "" : ": " + message);
    container.is_stuck =
        !reason.empty() && reason != "ContainerCreating" && reason != "PodInitializing";
  }
  return container;
}

}  // namespace

PodStory PodStoryOf(json::View pod) {
  const request::PodView view = pods::PodViewOf(pod);
  PodStory story{.facts = PodFactsOf(view, pod["status"]["phase"].StringOr("")),
                 .wishes = NodeWishesOf(pod),
                 .asks_for_cards = AsksForCards(view),
                 .has_ended = pods::HasEnded(pod),
                 .is_going = pod["metadata"]["deletionTimestamp"].exists(),
                 .is_gated = pod["spec"]["schedulingGates"].size() != 0,
                 .scheduler = Words(pod["spec"]["schedulerName"]),
                 .scheduler_says = SchedulerSays(pod)};
  for (const char* kind : {"initContainerStatuses", "containerStatuses"})
    for (const json::View status : pod["status"][kind].items())
      story.containers.push_back(ContainerOf(status));
  return story;
}

}  // namespace warpshare::report

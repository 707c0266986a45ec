"""No namespace has more of the cards than its quota, its users are told why, and what is given back can be had again."""

from door import DoorCase, set_quotas
from gpu_case import gpu_pod, kubectl, limits, unittest, wait_until
from stage import needs_test_cluster

WATCHED = "team-watched"
LATE = "team-late"


@needs_test_cluster("sets quotas")
class Quota(DoorCase):
    def test_what_is_over_the_quota_is_refused_at_the_door_until_somebody_leaves(self):
        set_quotas(**{WATCHED: "memory = 8Gi"})
        self.make_space(WATCHED, watched=True)
        self.create(WATCHED, gpu_pod("first", limits(3072, cards=2)))
        self.wait_for_running(WATCHED, "first")
        refused = self.create(WATCHED, gpu_pod("second", limits(3072)))
        self.assertIn("quota: card memory: the namespace may have 8GiB, has 6GiB, and the pod wants 3GiB", refused.stderr)
        self.assertIn("Forbidden", refused.stderr)
        kubectl("delete", "pod", "-n", WATCHED, "first", "--grace-period=1")
        wait_until("there is quota again", lambda: self.create(WATCHED, gpu_pod("second", limits(3072))).returncode == 0)
        self.wait_for_running(WATCHED, "second")

    def test_nobody_goes_past_the_scheduler_that_enforces_the_quota(self):
        set_quotas(**{WATCHED: "memory = 8Gi"})
        self.make_space(WATCHED, watched=True)
        wait_until("the quota is known", lambda: self.create(WATCHED, gpu_pod("large", limits(9000)), "--dry-run=server").returncode != 0)
        named = gpu_pod("named", limits(1024), nodeName="node-1")
        self.assertIn("has a quota of cards", self.create(WATCHED, named).stderr)
        set_quotas()
        wait_until("it may name its node without a quota",
                   lambda: self.create(WATCHED, named, "--dry-run=server").returncode == 0)

    def test_who_came_in_together_waits_with_the_reason_and_starts_when_it_may(self):
        set_quotas(**{LATE: "memory = 4Gi\n[L40S]\ncards = 1"})
        self.make_space(LATE, watched=False)
        self.create(LATE, gpu_pod("stays", limits(1024), annotations={"warpshare.io/avoid-gpu-model": "L40S"}))
        self.wait_for_running(LATE, "stays")
        for name in ("a", "b"):
            self.create(LATE, gpu_pod(name, limits(1024), annotations={"warpshare.io/use-gpu-model": "L40S"}))
        self.wait_for_event(LATE, "b", "quota: cards of model L40S: the namespace may have 1, has 1, and the pod wants 1")
        # Too much beside one other, too, so that it cannot come before b when a goes.
        self.create(LATE, gpu_pod("c", limits(4096)))
        self.wait_for_event(LATE, "c", "quota: card memory: the namespace may have 4GiB, has 2GiB, and the pod wants 4GiB")
        wait_until("the metrics say so", lambda: self.waiting_for_quota() == 2)
        # kube-scheduler by itself looks again after five minutes, and no wait here is as long.
        kubectl("delete", "pod", "-n", LATE, "a", "--grace-period=1")
        self.wait_for_running(LATE, "b")
        set_quotas(**{LATE: "memory = 8Gi"})
        self.wait_for_running(LATE, "c")
        wait_until("nobody waits for a quota", lambda: self.waiting_for_quota() == 0)

    def waiting_for_quota(self):
        return float(self.stage.scheduler_metrics().get('warpshare_scheduler_waiting_pods{reason="quota"}', 0))


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""Pods of more priority take the place of those with less, and no more of them than needed."""

from gpu_case import GpuCase, apply, gpu_pod, kubectl, kubectl_json, limits, unittest, wait_until
from stage import needs_test_cluster

HIGH = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "e2e-high"}, "value": 1000}


@needs_test_cluster("evicts pods")
class Preemption(GpuCase):
    def setUp(self):
        super().setUp()
        apply(HIGH)
        self.addCleanup(kubectl, "delete", "priorityclass", "e2e-high")

    def start_low(self, count, memory_mib):
        names = [f"low-{n}" for n in range(count)]
        self.start(*(gpu_pod(name, limits(memory_mib)) for name in names))
        return {name: self.assigned(name)["main"][0][0] for name in names}

    def left(self, names):
        found = {pod["metadata"]["name"] for pod in kubectl_json("get", "pods")["items"]
                 if "deletionTimestamp" not in pod["metadata"]}
        return set(names) & found

    def test_a_pod_of_more_priority_takes_one_card_from_one_of_less(self):
        low = self.start_low(4, 30_000)
        self.assertEqual(len(set(low.values())), 4)
        self.start(gpu_pod("high", limits(30_000), priorityClassName="e2e-high"))
        gone = set(low) - self.left(low)
        self.assertEqual({low[name] for name in gone}, {self.assigned("high")["main"][0][0]})
        self.assertEqual(len(gone), 1)

    def test_all_who_must_go_are_of_the_card_that_it_gets(self):
        """kube-scheduler counts the node's memory, where one would do."""
        low = self.start_low(8, 15_000)
        self.start(gpu_pod("high", limits(35_000), priorityClassName="e2e-high"))
        gone = set(low) - self.left(low)
        card = self.assigned("high")["main"][0][0]
        self.assertTrue({name for name, on in low.items() if on == card} <= gone)
        self.assertLessEqual(len(gone), 3)

    def test_nobody_goes_for_a_pod_of_the_same_priority(self):
        low = self.start_low(4, 30_000)
        self.addCleanup(kubectl, "delete", "pod", "equal", "--grace-period=1")
        apply(gpu_pod("equal", limits(30_000)))
        wait_until("it is refused", lambda: "Insufficient warpshare.io/gpu-memory" in self.events("equal"))
        self.assertEqual(self.left(low), set(low))


if __name__ == "__main__":
    unittest.main(verbosity=2)

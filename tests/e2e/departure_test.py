"""What a pod had is another's only when its processes are gone, whatever the API server says of the pod."""

from gpu_case import GpuCase, apply, gpu_pod, kubectl, kubectl_json, limits, unittest, wait_until
from stage import cards, cluster, lingering, needs_test_cluster

# Holds a card for as long as it lives.
HOLDS = ["sh", "-c", "(echo fill; sleep 1000) | hold"]


@needs_test_cluster("ends a kubelet")
class Departure(GpuCase):
    def test_a_pod_deleted_by_force_holds_its_card_until_its_processes_are_gone(self):
        card = {"warpshare.io/use-gpu-uuid": cards("node-2")[0]}
        self.start(gpu_pod("forced", limits(30_000), HOLDS, card))
        self.said("forced", "^filled")
        cluster("stop", "kubelet-2")
        self.addCleanup(wait_until, "the kubelet is back", lambda: self.is_ready("node-2"))
        self.addCleanup(cluster, "restart", "kubelet", 2, check=False)
        kubectl("delete", "pod", "forced", "--force", "--grace-period=0")
        wait_until("the node says that it is still there", lambda: cards("node-2")[0] in lingering("node-2"))
        next_pod = gpu_pod("next", limits(30_000), annotations=card)
        self.addCleanup(kubectl, "delete", "pod", "next", "--ignore-not-found", "--wait=true", "--grace-period=1")
        apply(next_pod)
        self.assertIn("memory", wait_until("it is refused", lambda: self.events("next")).lower())
        cluster("restart", "kubelet", 2)  # it ends what it finds
        self.wait_for_phase("next", "Running")
        self.assertNotIn(cards("node-2")[0], lingering("node-2"))

    def test_a_pod_that_the_kubelet_ended_leaves_at_once(self):
        card = {"warpshare.io/use-gpu-uuid": cards("node-1")[0]}
        self.start(gpu_pod("first", limits(30_000), HOLDS, card))
        self.said("first", "^filled")
        before = lingering("node-1")
        kubectl("delete", "pod", "first", "--grace-period=1")
        self.start(gpu_pod("second", limits(30_000), annotations=card))
        self.assertEqual(lingering("node-1"), before, "nothing was written for it")

    def is_ready(self, node):
        conditions = kubectl_json("get", "node", node)["status"]["conditions"]
        return any(each["type"] == "Ready" and each["status"] == "True" for each in conditions)


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""Pods that come to a node past the scheduler get what the node has left, and the scheduler counts it."""

import json

from gpu_case import GpuCase, apply, gpu_pod, kubectl, kubectl_json, limits, unittest, wait_until
from stage import cluster, needs_test_cluster

MANIFESTS = "/var/lib/kubelet/manifests"


@needs_test_cluster("fills cards of a size that it knows, and writes files of a node")
class PastTheScheduler(GpuCase):
    def wait_until_written(self, name):
        """The node's choice, once it stands on the pod: card, memory, cores."""
        def written():
            return "warpshare.io/assignment" in kubectl_json("get", "pod", name)["metadata"].get("annotations", {})
        wait_until(f"{name} has an assignment", written)
        return self.assigned(name)["main"][0]

    def refused(self, wanted):
        name = wanted["metadata"]["name"]
        self.addCleanup(kubectl, "delete", "pod", name, "--ignore-not-found", "--wait=true", "--grace-period=1")
        apply(wanted)
        return wait_until(f"{name} is refused", lambda: self.events(name))

    def test_a_pod_with_a_node_name_gets_a_card_that_the_scheduler_then_counts(self):
        self.start(gpu_pod("named", limits(30_000, 30), nodeName="node-1"))
        card, memory, cores = self.wait_until_written("named")
        self.assertEqual((memory, cores), ("30000MiB", "30"))
        self.assertEqual(self.said("named", r"^GPU 0: .*(GPU-[0-9a-f-]+)"), (card,))
        events = self.refused(gpu_pod("after", limits(20_000), annotations={"warpshare.io/use-gpu-uuid": card}))
        self.assertIn("memory", events.lower())

    def test_a_pod_with_a_node_name_for_which_there_is_no_room_does_not_start(self):
        name = "too-much"
        self.refused(gpu_pod(name, limits(50_000), nodeName="node-1"))
        wait_until("the reason", lambda: "the node has no room" in self.events(name))

    def test_a_static_pod_is_counted_too(self):
        wanted = gpu_pod("static", limits(30_000, 30))
        wanted.update(apiVersion="v1", kind="Pod")
        path = f"{MANIFESTS}/static.json"
        self.addCleanup(wait_until, "it is gone", lambda: kubectl("get", "pod", "static-node-2", check=False).returncode != 0)
        self.addCleanup(cluster, "node-exec", 2, "--", "rm", "-f", path)
        cluster("node-exec", 2, "--", "sh", "-c", f"mkdir -p {MANIFESTS}; cat > {path}", input=json.dumps(wanted))
        wait_until("it is there", lambda: kubectl("get", "pod", "static-node-2", check=False).returncode == 0)
        self.wait_for_phase("static-node-2", "Running")
        card, memory, _ = self.wait_until_written("static-node-2")
        self.assertEqual(memory, "30000MiB")
        events = self.refused(gpu_pod("after", limits(20_000), annotations={"warpshare.io/use-gpu-uuid": card}))
        self.assertIn("memory", events.lower())


if __name__ == "__main__":
    unittest.main(verbosity=2)

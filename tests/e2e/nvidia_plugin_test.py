"""A node with NVIDIA's device plugin beside ours: what that gave away is given to nobody else."""

import unittest

from gpu_case import GpuCase, apply, gpu_pod, kubectl, kubectl_json, limits, wait_until
from stage import BUILD, FOLDER, cards, cluster, needs_test_cluster

NODE = "node-1"
PLAIN = {"limits": {"nvidia.com/gpu": "1"}}
DEVICES = FOLDER / "other-devices"


def taken():
    return kubectl_json("get", "node", NODE)["metadata"]["annotations"].get("warpshare.io/taken", "")


@needs_test_cluster("starts another device plugin on a node")
class NvidiasPlugin(GpuCase):
    def setUp(self):
        super().setUp()
        self.card = cards(NODE)[0]
        self.offer(self.card)
        cluster("node-start", 1, "other-plugin", "--", BUILD / "tests/bin/other_plugin", "/var/lib/kubelet/device-plugins",
                "nvidia.com/gpu", DEVICES)
        self.addCleanup(cluster, "stop", "other-plugin-1")
        self.addCleanup(self.wait_for_offer, 0)
        self.addCleanup(self.offer)
        self.wait_for_offer(1)

    def offer(self, *devices):
        DEVICES.write_text("".join(f"{device}\n" for device in devices))

    def wait_for_offer(self, count):
        wait_until(f"{NODE} has {count} nvidia.com/gpu", lambda: all(
            int(kubectl_json("get", "node", NODE)["status"][sum].get("nvidia.com/gpu", 0)) == count
            for sum in ("capacity", "allocatable")))

    def shares(self, name):
        return gpu_pod(name, limits(1024), annotations={"warpshare.io/use-gpu-uuid": self.card})

    def test_its_card_is_given_to_nobody_until_it_is_free_again(self):
        self.start(gpu_pod("nvidias", PLAIN))
        wait_until("the node tells of it", lambda: f"{self.card}:40GiB:100:whole" in taken())
        self.addCleanup(kubectl, "delete", "pod", "waits", "--ignore-not-found", "--wait=true", "--grace-period=1")
        apply(self.shares("waits"))
        wait_until("it is refused", lambda: "0/2 nodes are available" in self.events("waits"))
        self.start(gpu_pod("elsewhere", limits(1024), nodeName=NODE))
        self.assertNotIn(self.card, str(self.assigned_by_the_node("elsewhere")))
        kubectl("delete", "pod", "nvidias", "--grace-period=1")
        self.wait_for_phase("waits", "Running")
        self.assertNotIn(self.card, taken())

    def test_a_pod_whose_card_it_gives_away_as_well_is_told(self):
        self.start(self.shares("tenant"))
        self.start(gpu_pod("nvidias", PLAIN))
        wait_until("the tenant has an event", lambda: "was given to pod default/nvidias by NVIDIA's device plugin" in self.events("tenant"))
        self.assertEqual(kubectl_json("get", "pod", "tenant")["status"]["phase"], "Running")

        def counted():
            metrics = self.stage.metrics(1)
            return [metrics[name] for name in metrics if name.startswith("warpshare_card_taken{") and self.card in name] == ["1"]
        wait_until("the metrics say so", counted)

    def assigned_by_the_node(self, name):
        wait_until(f"{name} has an assignment", lambda: "warpshare.io/assignment" in kubectl_json(
            "get", "pod", name)["metadata"].get("annotations", {}))
        return self.assigned(name)


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""What the webhook fills in, and what it refuses before anything waits for it in vain."""

import json

from door import DoorCase
from gpu_case import gpu_pod, in_mib, kubectl, limits, unittest, wait_until
from stage import announcements, cards, needs_test_cluster, nodes_with_cards

SPACE = "at-the-door"
PLAIN = {"limits": {"nvidia.com/gpu": "1"}}


def sizes():
    """card -> its memory."""
    return {card[0]: card[1] for node in nodes_with_cards() for card in announcements(node)}


class Webhook(DoorCase):
    def setUp(self):
        super().setUp()
        self.space = self.make_space(SPACE, watched=True)

    def refusal_of(self, wanted):
        answer = self.create(self.space, wanted, "--dry-run=server")
        self.assertNotEqual(answer.returncode, 0, answer.stdout)
        return answer.stderr

    def stored(self, wanted):
        answer = self.create(self.space, wanted, "-o", "json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return json.loads(answer.stdout)

    def test_what_can_never_work_is_refused_with_its_reason(self):
        for cores in (0, 101):
            self.assertIn("warpshare.io/gpu-cores is not in 1..100", self.refusal_of(gpu_pod("wrong", limits(1024, cores))))
        largest = max(sizes().values(), key=in_mib)
        self.assertIn(f"the largest that it may have is {largest}", self.refusal_of(gpu_pod("wrong", limits(in_mib(largest) + 1))))
        most = max(len(cards(node)) for node in nodes_with_cards())
        self.assertIn(f"no node has more than {most}", self.refusal_of(gpu_pod("wrong", limits(1024, cards=most + 1))))
        privileged = gpu_pod("wrong", limits(1024))
        privileged["spec"]["containers"][0]["securityContext"] = {"privileged": True}
        self.assertIn("is privileged and would see every card", self.refusal_of(privileged))
        reaching = gpu_pod("wrong", limits(1024))
        reaching["spec"]["volumes"] = [{"name": "run", "hostPath": {"path": "/run"}}]
        reaching["spec"]["containers"][0]["volumeMounts"] = [{"name": "run", "mountPath": "/host-run"}]
        self.assertIn("could write to the machine's /run/warpshare-node", self.refusal_of(reaching))

    def test_what_is_left_unsaid_is_filled_in(self):
        wanted = gpu_pod("short", {"limits": {"warpshare.io/gpu-memory-percent": "25"}},
                         annotations={"warpshare.io/compute-policy": "hard", "warpshare.io/assignment": "v1;of;another=pod"})
        stored = json.loads(self.create(self.space, wanted, "-o", "json").stdout)
        filled = stored["spec"]["containers"][0]["resources"]["limits"]
        self.assertEqual(filled, {"warpshare.io/gpu": "1", "warpshare.io/gpu-memory-percent": "25", "warpshare.io/gpu-cores": "25"})
        self.assertNotIn("warpshare.io/assignment", stored["metadata"]["annotations"])
        self.wait_for_running(self.space, "short")
        ((card, memory, cores),) = self.assignment(self.pods(self.space)["short"])["main"]
        self.assertAlmostEqual(in_mib(memory), in_mib(sizes()[card]) / 4, delta=1)
        self.assertEqual(cores, "25")

    @needs_test_cluster("gives whole cards to pods")
    def test_a_manifest_for_nvidias_plugin_gets_a_whole_card_that_nobody_shares(self):
        self.stored(gpu_pod("plain", PLAIN))
        self.wait_for_running(self.space, "plain")
        plain = self.pods(self.space)["plain"]
        ((card, memory, cores),) = self.assignment(plain)["main"]
        self.assertEqual((memory, cores), ("40GiB", "100"))
        self.assertTrue(plain["metadata"]["annotations"]["warpshare.io/assignment"].endswith(":whole"))
        self.assertEqual(self.create(self.space, gpu_pod("beside", limits(1024), annotations={"warpshare.io/use-gpu-uuid": card})).returncode, 0)
        self.wait_for_event(self.space, "beside", "0/2 nodes are available")
        self.assertNotIn("nodeName", self.pods(self.space)["beside"]["spec"])
        self.stored(gpu_pod("elsewhere", limits(1024), annotations={"warpshare.io/card-policy": "binpack"}))
        self.wait_for_running(self.space, "elsewhere")
        ((other, _, _),) = self.assignment(self.pods(self.space)["elsewhere"])["main"]
        self.assertNotEqual(other, card)

    @needs_test_cluster("writes what a node has")
    def test_a_manifest_for_nvidias_plugin_is_left_alone_while_a_node_has_that(self):
        def of_node(count):
            change = [{"op": "add", "path": "/status/capacity/nvidia.com~1gpu", "value": str(count)}]
            kubectl("patch", "node", "node-2", "--subresource=status", "--type=json", "-p", json.dumps(change))

        def asked():
            stored = json.loads(self.create(self.space, gpu_pod("plain", PLAIN), "--dry-run=server", "-o", "json").stdout)
            return stored["spec"]["containers"][0]["resources"]["limits"]
        self.assertEqual(asked(), {"warpshare.io/gpu": "1"})
        self.addCleanup(of_node, 0)
        of_node(4)
        wait_until("the pod is left to NVIDIA's plugin", lambda: asked() == PLAIN["limits"])
        of_node(0)
        wait_until("the pod is adopted again", lambda: asked() == {"warpshare.io/gpu": "1"})

    def test_a_pod_without_cards_is_none_of_its_business(self):
        wanted = gpu_pod("plain", {"limits": {"cpu": "100m"}})
        stored = json.loads(self.create(self.space, wanted, "--dry-run=server", "-o", "json").stdout)
        self.assertEqual(stored["spec"]["containers"][0]["resources"]["limits"], {"cpu": "100m"})


if __name__ == "__main__":
    unittest.main(verbosity=2)

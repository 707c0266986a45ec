"""`warpshare inspect` and `explain`, and as a plugin of kubectl: what they say of this cluster, and what comes of it."""

import json
import subprocess

from gpu_case import MIB, GpuCase, apply, gpu_pod, kubectl, kubectl_json, limits, unittest, wait_until
from stage import BUILD, KUBECONFIG, cards, needs_test_cluster
from cluster_case import CLUSTER


class Explain(GpuCase):
    def wants_in_vain(self, wanted):
        name = wanted["metadata"]["name"]
        self.addCleanup(kubectl, "delete", "pod", name, "--ignore-not-found", "--wait=true", "--grace-period=1")
        apply(wanted)
        wait_until(f"{name} is refused", lambda: "FailedScheduling" in
                   kubectl("get", "events", "--field-selector", f"involvedObject.name={name}").stdout)

    def parts_on(self, card):
        found, = [each for each in self.look_at_cards() if each["uuid"] == card]
        return found

    def test_a_pod_that_runs_is_shown_with_its_part(self):
        self.start(gpu_pod("shown", limits(1024)))
        node = kubectl_json("get", "pod", "shown")["spec"]["nodeName"]
        (card, memory, _), = self.assigned("shown")["main"]
        self.assertEqual(memory, "1GiB")
        self.assertIn("shown", [part["pod"] for part in self.parts_on(card)["parts"]])
        said = self.look("explain", "shown")
        self.assertIn(f"is on {node}: Running", said)
        self.assertIn("node and API server agree", said)

    @needs_test_cluster("fills a card of a size that it knows")
    def test_a_full_card_is_explained_freed_and_seen_free(self):
        card = cards("node-1")[0]
        chosen = {"warpshare.io/use-gpu-uuid": card}
        self.start(gpu_pod("fills", limits(38_000, 60), annotations=chosen))
        found = self.parts_on(card)
        self.assertEqual(found["memory_allocated_bytes"], 38_000 * MIB)
        self.assertEqual([part["pod"] for part in found["parts"]], ["fills"])
        self.assertIn("node and API server agree", self.look("explain", "fills"))

        self.wants_in_vain(gpu_pod("wants", limits(8_000, 30), annotations=chosen))
        said = self.look("explain", "wants", code=3)
        self.assertIn("pod default/wants waits for 1 card with 8000MiB and 30 % of its time", said)
        self.assertIn("scheduler default-scheduler said: 0/2 nodes are available", said)
        self.assertIn("the end of default/fills on node-1", said)
        told = json.loads(self.look("explain", "wants", "-o", "json", code=3))
        self.assertEqual({group["reason"]: group["nodes"] for group in told["refusals"]},
                         {"no_memory": ["node-1"], "wrong_card": ["node-2"]})
        near, = told["nearest"]
        full, = [each for each in near["cards"] if each["uuid"] == card]
        self.assertEqual((full["reason"], full["missing_bytes"]), ("no_memory", (8_000 + 38_000 - 40_960) * MIB))
        self.assertEqual(told["smaller_requests"], [{"memory_bytes": (40_960 - 38_000) * MIB, "node": "node-1"}])
        self.assertEqual(told["departures"][0]["pods"], ["default/fills"])

        kubectl("delete", "pod", "fills", "--wait=true", "--grace-period=1")
        self.wait_for_phase("wants", "Running")
        self.assertIn("wants", [part["pod"] for part in self.parts_on(card)["parts"]])
        self.assertIn("is on node-1: Running", self.look("explain", "wants"))

    @needs_test_cluster("fills a card of a size that it knows")
    def test_what_would_fit_in_the_smaller_request_does_fit(self):
        card = cards("node-2")[0]
        chosen = {"warpshare.io/use-gpu-uuid": card}
        self.start(gpu_pod("half", limits(20_001), annotations=chosen))
        self.wants_in_vain(gpu_pod("too-much", limits(30_000), annotations=chosen))
        offer, = json.loads(self.look("explain", "too-much", "-o", "json", code=3))["smaller_requests"]
        self.start(gpu_pod("as-offered", limits(offer["memory_bytes"] // MIB), annotations=chosen))
        found = self.parts_on(card)
        self.assertEqual(found["memory_allocated_bytes"], found["memory_bytes"])

    @needs_test_cluster("cordons a node")
    def test_a_cordoned_node_is_named_with_its_mend(self):
        kubectl("cordon", "node-1")
        self.addCleanup(kubectl, "uncordon", "node-1")
        self.wants_in_vain(gpu_pod("barred", limits(1_000), annotations={"warpshare.io/use-gpu-uuid": cards("node-1")[0]}))
        self.assertIn("kubectl uncordon node-1 (node-1 has room)", self.look("explain", "barred", code=3))
        kubectl("uncordon", "node-1")
        self.wait_for_phase("barred", "Running")
        self.assertIn("is on node-1: Running", self.look("explain", "barred"))

    @needs_test_cluster("makes a kubeconfig of an account")
    def test_who_may_not_look_is_told_which_right_is_missing(self):
        said = subprocess.run([CLUSTER, "exec", "--", "kubectl", "create", "token", "default"], capture_output=True, text=True)
        self.assertEqual(said.returncode, 0, said.stderr)
        view = json.loads(kubectl("config", "view", "--raw", "-o", "json").stdout)
        view["users"] = [{"name": view["contexts"][0]["context"]["user"], "user": {"token": said.stdout.strip()}}]
        path = KUBECONFIG.parent / "nobody.kubeconfig"
        path.write_text(json.dumps(view))
        self.addCleanup(path.unlink)
        refused = subprocess.run([CLUSTER, "exec", "--", BUILD / "bin/warpshare", "inspect", "--kubeconfig", path],
                                 capture_output=True, text=True)
        self.assertEqual(refused.returncode, 1, refused.stdout)
        self.assertIn('cannot list resource "nodes"', refused.stderr)
        self.assertIn("warpshare-viewer", refused.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)

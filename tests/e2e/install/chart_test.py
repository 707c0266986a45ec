"""The Helm chart, by the real helm: pods with cards outlive what installed them."""

import json

from installation import NEXT, slots
from install_case import IMAGE, InstallCase, MIB, NODES, apply, cluster, gpu_pod, kubectl, kubectl_json, limits, unittest, wait_until

CDI = "/var/run/cdi"


class Chart(InstallCase):
    def test_upgrading_and_uninstalling_leave_running_pods_alone(self):
        self.site.have_nothing()
        self.addCleanup(self.site.have_nothing)
        self.site.helm_install("install")
        wait_until("what other tests had is given back", lambda: self.allocated() == 0)
        self.start(gpu_pod("old", limits(2048, 20)))
        old = self.containers("old")

        self.site.load_next()
        self.site.helm_install("upgrade", f"image.tag={NEXT}", f"node.cdiFolder={CDI}")
        self.assertEqual({p["spec"]["containers"][0]["image"] for p in self.site.pods("warpshare-node")}, {f"warpshare-node:{NEXT}"})
        self.start(gpu_pod("new", limits(1024, 10)))
        new = self.containers("new")
        self.assertNotEqual(self.libraries("old"), self.libraries("new"))
        self.assert_has_its_driver_by_cdi("new")
        self.start(gpu_pod("again", limits(512), restartPolicy="Always"))
        wait_until("all are known", lambda: self.allocated() == 3584 * MIB)

        self.site.have_nothing()
        self.assertEqual(self.site.pods("warpshare-node") + self.site.pods("warpshare-scheduler"), [])
        self.assert_held_to("old", 2048)
        self.assert_held_to("new", 1024)
        self.run_pod("plain", IMAGE, ["sleep", "1000"])
        self.assert_nodes_show_nothing_of_it()
        self.assert_starts_no_more("again")
        self.assert_waits("late", {"limits": {"warpshare.io/gpu-memory": "512"}}, "Insufficient warpshare.io/gpu-memory")

        self.site.helm_install("install")
        wait_until("they are known again", lambda: self.allocated() == 3584 * MIB)
        wait_until("it starts again", lambda: "running" in self.containers("again")[0][2])
        self.assert_held_to("again", 512)
        self.start(gpu_pod("third", limits(512)))
        self.assertEqual((self.containers("old"), self.containers("new")), (old, new))
        self.assert_held_to("old", 2048)

    def assert_nodes_show_nothing_of_it(self):
        for name in NODES:
            node = kubectl_json("get", "node", name)
            metadata, status = node["metadata"], node["status"]
            # What another test of this run wrote is not warpshare's; warpshare.io/gpu is the kubelet's.
            left = {*metadata["labels"], *metadata["annotations"], *status["capacity"], *status["allocatable"]}
            self.assertEqual({key for key in left if key.startswith("warpshare.io/")} - {"warpshare.io/test", "warpshare.io/gpu"}, set())

        # The kubelet's own, in its own time.
        wait_until("nothing can be had", lambda: not any(slots(name) for name in NODES))

    def assert_starts_no_more(self, name):
        """The kubelet asks the device plugin before each start, and there is none."""
        pod = kubectl_json("get", "pod", name)
        cluster("node-exec", pod["spec"]["nodeName"][-1], "--", "kill", "-KILL", self.pids(pod)["main"])

        def said():
            return self.containers(name)[0][2].get("waiting", {}).get("message", "")
        wait_until(f"{name} waits and says for what", lambda: "PreStartContainer" in said())

    def assert_waits(self, name, resources, reason):
        """Nobody is placed where nobody would give it a card."""
        self.addCleanup(kubectl, "delete", "pod", name, "--ignore-not-found", "--wait=true", "--grace-period=1")
        apply(gpu_pod(name, resources))

        def conditions():
            return "".join(one.get("message", "") for one in kubectl_json("get", "pod", name)["status"].get("conditions", ()))
        wait_until(f"{name} waits", lambda: reason in conditions())
        self.assertEqual(kubectl_json("get", "pod", name)["spec"].get("nodeName"), None)
        kubectl("delete", "pod", name, "--wait=true", "--grace-period=1")

    def assert_has_its_driver_by_cdi(self, name):
        """The spec file is where the node's container runtime reads it; that the driver works is seen when the pod is held to its limits."""
        node = kubectl_json("get", "pod", name)["spec"]["nodeName"][-1]
        spec = json.loads(cluster("node-exec", node, "--", "cat", f"{CDI}/warpshare.io-driver.json").stdout)
        self.assertEqual((spec["kind"], [device["name"] for device in spec["devices"]]), ("warpshare.io/driver", ["all"]))


if __name__ == "__main__":
    unittest.main(verbosity=2)

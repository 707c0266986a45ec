"""When the leading scheduler dies, the other one binds soon after."""

import pathlib
import re
import sys

from gpu_case import GpuCase, apply, gpu_pod, kubectl, kubectl_json, limits, unittest
from stage import BUILD, KUBECONFIG, cluster, needs_test_cluster

SOON = 2.0
TAKEOVER = pathlib.Path(__file__).with_name("takeover.py")


@needs_test_cluster("runs two more schedulers")
class Standby(GpuCase):
    def test_the_standby_binds_within_two_seconds_of_the_leaders_death(self):
        # No kube-scheduler has that name: the test asks for the Binding itself.
        apply(gpu_pod("taken-over", limits(1024), schedulerName="nobody"))
        self.addCleanup(kubectl, "delete", "pod", "taken-over", "--wait=true", "--grace-period=1")
        uid = kubectl_json("get", "pod", "taken-over")["metadata"]["uid"]
        said = cluster("exec", "--", sys.executable, TAKEOVER, BUILD / "bin/warpshare-scheduler", KUBECONFIG, "default",
                       "taken-over", uid, "node-1").stdout
        print(said.strip(), flush=True)
        self.assertLess(float(re.search(r"bound after ([0-9.]+) s", said)[1]), SOON)
        self.wait_for_phase("taken-over", "Running")


if __name__ == "__main__":
    unittest.main(verbosity=2)

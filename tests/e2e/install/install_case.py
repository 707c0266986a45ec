"""What a daemon's containers and pods with cards show of themselves, on the cluster of `installation`."""

import re
import unittest

from installation import NODES, site
from gpu_case import ASK_AND_STAY, CONTEXT, GpuCase, IMAGE, MIB, apply, gpu_pod, kubectl, kubectl_json, limits, wait_until
from cluster_case import cluster
from stage import READ, needs_test_cluster


@needs_test_cluster("it installs and uninstalls warpshare")
class InstallCase(GpuCase):
    def setUp(self):
        self.site = site()

    def containers(self, name):
        """Which ones run and since when: equal as long as nobody touched the pod."""
        return [(status["containerID"], status["restartCount"], status["state"])
                for status in kubectl_json("get", "pod", name)["status"]["containerStatuses"]]

    def assert_held_to(self, name, mib):
        said = kubectl("exec", name, "--", "sh", "-c", "(echo look; echo fill; echo take 1) | hold").stdout
        self.assertIn(f" of {mib * MIB}\n", said)
        self.assertRegex(said, r"(?m)^filled \d+\nrefused$")

    def libraries(self, name):
        """The folder of the host that a pod's interposer is from."""
        mounts = kubectl("exec", name, "--", "cat", "/proc/self/mountinfo").stdout
        return re.search(r"(\S*/lib/warpshare-\S+) /usr/local/warpshare/lib ", mounts).group(1)

    def told(self, daemon, metric):
        """The values of all series, as the daemon's pods tell Prometheus."""
        for pod in self.site.pods(daemon):
            port, = (port["containerPort"] for container in pod["spec"].get("initContainers", []) + pod["spec"]["containers"]
                     for port in container.get("ports", ()) if port["name"] == "metrics")
            text = cluster("node-exec", 1, "--", *READ, f"http://{pod['status']['podIP']}:{port}/metrics").stdout
            yield from (float(value) for value in re.findall(rf"^{metric}(?:{{\S*}})? (\S+)$", text, re.M))

    def allocated(self):
        """Bytes given away."""
        return sum(self.told("warpshare-node", "warpshare_card_memory_allocated_bytes"))

    @staticmethod
    def pids(pod):
        """container -> its first process, on the pod's node."""
        listed = cluster("node-exec", pod["spec"]["nodeName"][-1], "--", "ctr", "task", "ls").stdout
        tasks = dict(line.split()[:2] for line in listed.splitlines()[1:])
        statuses = pod["status"].get("initContainerStatuses", []) + pod["status"]["containerStatuses"]
        return {status["name"]: tasks[status["containerID"].removeprefix("containerd://")] for status in statuses}

    def processes(self, daemon):
        """(container, /proc/PID/status, /proc/PID/mountinfo) of each of its containers."""
        for owner in self.site.pods(daemon):
            node = owner["spec"]["nodeName"][-1]
            for name, pid in self.pids(owner).items():
                text, mounts = (cluster("node-exec", node, "--", "cat", f"/proc/{pid}/{file}").stdout for file in ("status", "mountinfo"))
                yield name, dict(line.split(":\t", 1) for line in text.splitlines()), mounts


__all__ = ["ASK_AND_STAY", "CONTEXT", "IMAGE", "InstallCase", "MIB", "NODES", "apply", "cluster", "gpu_pod", "kubectl", "kubectl_json",
           "limits", "unittest", "wait_until"]

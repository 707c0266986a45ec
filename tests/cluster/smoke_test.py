#!/usr/bin/env python3
"""The test cluster itself: up, pods that find each other on two nodes, down, and nothing left, whole or cut short."""

import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from cluster_case import CLUSTER, ClusterCase, apply, cluster, kubectl, wait_until
from lab.layout import State

# Beside the cluster that a user may have running.
os.environ["WARPSHARE_CLUSTER_DIR"] = f"/var/tmp/warpshare-cluster-{os.getpid()}"
STATE = State()
IMAGE = "warpshare.test/smoke:1"
WEB_SERVER = ["sh", "-c", "echo started; mkdir /www; hostname >/www/index.html; exec httpd -f -p 8080 -h /www"]


def traces():
    """What a cluster could leave on the machine, and was there before it."""
    words = {"mounts": ["cat", "/proc/self/mountinfo"], "links": ["ip", "-o", "link"], "names": ["ip", "netns"],
             "rules": ["iptables-save"], "processes": ["pgrep", "-af", str(STATE.folder)],
             "cgroups": ["find", "/sys/fs/cgroup", "-type", "d", "-name", STATE.cgroup],
             "folders": ["ls", "/var/tmp", "/var/lib", "/var/log", "/etc", "/opt", "/run", "/usr/libexec"],
             "settings": ["sysctl", "vm.overcommit_memory", "vm.panic_on_oom", "kernel.panic", "kernel.panic_on_oops",
                          "net.ipv4.ip_forward"]}
    return {what: subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
            for what, command in words.items()}


class ARunningCluster(ClusterCase):
    @classmethod
    def setUpClass(cls):
        cluster("up")
        cls.addClassCleanup(cluster, "down", check=False)
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "greeting").write_text("hello from the image\n")
            cluster("load-image", IMAGE, folder)

    def test_pods_of_two_nodes_reach_each_other_and_a_service(self):
        one = self.run_pod("one", IMAGE, WEB_SERVER, node="node-1")
        self.run_pod("two", IMAGE, ["sleep", "600"], node="node-2")
        apply({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"},
               "spec": {"selector": {"app": "one"}, "ports": [{"port": 80, "targetPort": 8080}]}})
        self.addCleanup(kubectl, "delete", "service", "web")
        fetched = kubectl("exec", "two", "--", "wget", "-qO-", f"http://{one['podIP']}:8080/").stdout
        self.assertEqual(fetched, "one\n")
        address = kubectl("get", "service", "web", "-o", "jsonpath={.spec.clusterIP}").stdout
        wait_until("the service answers", lambda: kubectl(
            "exec", "two", "--", "timeout", "2", "wget", "-qO-", f"http://{address}/", check=False).stdout == "one\n")

    def test_a_pod_reaches_the_api_server_at_its_service_address(self):
        self.run_pod("api", IMAGE, ["sh", "-c", "nc -w 5 $KUBERNETES_SERVICE_HOST $KUBERNETES_SERVICE_PORT </dev/null"])
        self.wait_for_phase("api", "Succeeded")

    def test_logs_and_exec(self):
        for node in ("node-1", "node-2"):
            name = f"talks-{node}"
            self.run_pod(name, IMAGE, ["sh", "-c", "cat /greeting; exec sleep 600"], node=node)
            self.assertEqual(kubectl("logs", name).stdout, "hello from the image\n")
            self.assertEqual(kubectl("exec", name, "--", "hostname").stdout, f"{name}\n")

    def test_a_kubelet_restarts_alone(self):
        self.run_pod("survivor", IMAGE, ["sleep", "600"], node="node-1")
        before = kubectl("get", "pod", "survivor", "-o", "jsonpath={.status.containerStatuses[0].containerID}").stdout
        cluster("restart", "kubelet", "1")
        wait_until("exec again", lambda: kubectl("exec", "survivor", "--", "true", check=False).returncode == 0)
        after = kubectl("get", "pod", "survivor", "-o", "jsonpath={.status.containerStatuses[0].containerID}").stdout
        self.assertEqual(after, before)

    def test_what_others_started_is_not_restarted_but_goes_on(self):
        cluster("start", "sleeper", "--", "sleep", "1000")
        self.addCleanup(cluster, "stop", "sleeper")
        refused = cluster("restart", "sleeper", check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("`stop sleeper`, then start it as before", refused.stderr)
        self.assertRegex(cluster("status").stdout, r"(?m)^sleeper +runs")

    def test_a_node_is_entered(self):
        self.assertEqual(cluster("node-exec", "2", "--", "hostname").stdout, "node-2\n")
        self.assertEqual(cluster("node-exec", "2", "--", "ls", "/var/lib/kubelet/device-plugins").stdout.split()[-1:],
                         ["kubelet.sock"])


class WhatIsLeft(unittest.TestCase):
    def check_down(self, before):
        cluster("down")
        new = {what: [line for line in lines if line not in before[what]] for what, lines in traces().items()}
        self.assertEqual({what: lines for what, lines in new.items() if lines}, {})

    def test_nothing_of_a_whole_cluster(self):
        before = traces()
        cluster("up", "--kwok", "5")
        wait_until("fake nodes are Ready", lambda: kubectl(
            "get", "nodes", "--selector=type=kwok", "--no-headers").stdout.count(" Ready ") == 5)
        self.check_down(before)

    def test_nothing_that_was_run_beside_it(self):
        before = traces()
        cluster("up")
        cluster("start", "sleeper", "--", "sleep", "1000")
        commands = [subprocess.Popen([CLUSTER, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                    for words in (("exec", "--", "sh", "-c", "echo runs; sleep 1000; :"),
                                  ("node-exec", "1", "--", "sh", "-c", "echo runs; sleep 1000; :"))]
        for command in commands:
            self.assertEqual(command.stdout.readline(), b"runs\n")
        self.check_down(before)
        for command in commands:
            self.assertNotEqual(command.wait(timeout=10), 0)
            command.stdout.close()

    def test_nothing_of_one_killed_in_the_middle(self):
        before = traces()
        # Each falls into another stage: folders, namespaces, containerd, control plane.
        for seconds in (0.3, 0.6, 1.5, 5):
            with self.subTest(seconds=seconds):
                up = subprocess.Popen([CLUSTER, "up"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(seconds)
                os.kill(up.pid, signal.SIGKILL)
                up.wait()
                self.check_down(before)


if __name__ == "__main__":
    unittest.main(verbosity=2)

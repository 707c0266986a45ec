"""`kubectl apply -f deploy/manifests` makes a cluster that shares cards."""

import json
import subprocess
import time

from installation import MANIFESTS, ROOT
from cluster_case import CLUSTER
from install_case import ASK_AND_STAY, CONTEXT, InstallCase, MIB, apply, cluster, gpu_pod, kubectl, kubectl_json, limits, unittest, wait_until

# Asked every second, given a second to answer, and up to 0.44 s until the other kube-scheduler looks; on a busy machine.
GIVES_WAY_WITHIN = 5.0
# A second from when the other kube-scheduler last saw the Lease renewed, and up to 0.44 s before and after that until it looks. Far more
# than that, for a busy machine: the figure is printed.
BINDS_WITHIN = 15.0
PLAIN = {"limits": {"nvidia.com/gpu": "1"}}


def watching(*words):
    """A kubectl that goes on beside the test."""
    return subprocess.Popen([CLUSTER, "kubectl", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


class Manifests(InstallCase):
    def setUp(self):
        super().setUp()
        self.site.have_manifests()

    def test_a_pod_gets_its_part_from_what_was_installed(self):
        self.start(gpu_pod("part", {"limits": {"warpshare.io/gpu-memory": "4096", "warpshare.io/gpu-cores": "30"}}, ASK_AND_STAY))
        _, total = self.said("part", r"^sees (\d+) of (\d+)$")
        self.assertEqual(int(total), 4096 * MIB)
        (filled,) = self.said("part", r"^filled (\d+)$")
        self.assertEqual(int(filled), 4096 * MIB - CONTEXT)
        self.assertEqual(kubectl_json("get", "pod", "part")["spec"]["schedulerName"], "warpshare")
        self.assertEqual(self.assigned("part")["main"][0][1:], ("4GiB", "30"))

    def test_a_manifest_for_nvidias_plugin_gets_a_whole_card_unless_its_namespace_keeps_out(self):
        wanted = gpu_pod("plain", PLAIN)
        self.start(wanted)
        spec = kubectl_json("get", "pod", "plain")["spec"]
        self.assertEqual((spec["containers"][0]["resources"]["limits"], spec["schedulerName"]), ({"warpshare.io/gpu": "1"}, "warpshare"))
        self.assertEqual(self.assigned("plain")["main"][0][1:], ("40GiB", "100"))
        self.addCleanup(kubectl, "delete", "namespace", "keeps-out", "--wait=true")
        kubectl("create", "namespace", "keeps-out")
        kubectl("label", "namespace", "keeps-out", "warpshare.io/nvidia-gpu=leave")
        left = json.loads(kubectl("create", "-n", "keeps-out", "--dry-run=server", "-o", "json", "-f", "-", input=json.dumps(wanted)).stdout)
        self.assertEqual(left["spec"]["containers"][0]["resources"]["limits"], PLAIN["limits"])

    def test_the_api_server_takes_all_of_them(self):
        said = kubectl("apply", "--dry-run=server", "-f", MANIFESTS).stdout.splitlines()
        self.assertGreater(len(said), 20)
        for line in said:
            self.assertIn("(server dry run)", line)

    def test_applying_them_again_keeps_certificates_and_pods(self):
        def state():
            secret = self.site.in_namespace_json("get", "secret", "warpshare-webhook")["data"]
            webhook = kubectl_json("get", "mutatingwebhookconfiguration", "warpshare")["webhooks"][0]
            return secret, webhook["clientConfig"]["caBundle"]
        before = state()
        kubectl("apply", "-f", ROOT / "deploy/manifests/20-scheduler.yaml", "-f", ROOT / "deploy/manifests/30-webhook.yaml")
        self.assertEqual(state(), before)

    def test_what_is_refused_at_the_door_says_why(self):
        wanted = gpu_pod("never", limits(50_000))
        done = kubectl("apply", "-f", "-", input=json.dumps(wanted), check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("admission webhook \"pods.warpshare.io\" denied the request", done.stderr)
        self.assertIn("asks for 50000MiB of a card, and the largest that it may have is 40GiB", done.stderr)

    def leader(self):
        """The pod whose kube-scheduler leads."""
        lease = self.site.in_namespace_json("get", "lease", "warpshare-kube-scheduler")
        return lease["spec"].get("holderIdentity", "").split("_")[0]

    def doors(self):
        """How many pods the API server may send admissions to."""
        slices = self.site.in_namespace_json("get", "endpointslices", "-l", "kubernetes.io/service-name=warpshare-webhook")
        return sum(one["conditions"].get("ready", False) for each in slices["items"] for one in each["endpoints"] or ())

    def start_when_let_in(self, pod):
        """The API server may have a connection to a pod that is gone or hangs, and ask there once more."""
        wait_until("a pod is let in", lambda: kubectl("apply", "-f", "-", input=json.dumps(pod), check=False).returncode == 0)
        self.start(pod)

    def test_of_two_schedulers_one_tells_prometheus_that_it_serves(self):
        self.site.wait_ready()
        wait_until("one of two serves", lambda: sorted(self.told("warpshare-scheduler", "warpshare_scheduler_serves")) == [0, 1])

    def test_another_scheduler_takes_over(self):
        self.site.wait_ready()
        self.site.in_namespace("delete", "pod", self.leader(), "--wait=false", "--grace-period=0", "--force")
        self.start_when_let_in(gpu_pod("after", limits(1024)))
        self.site.wait_ready()

    def kill_leading_pair(self):
        """When it was; None where one of the two has ended by itself since they were looked for, as a kube-scheduler does that cannot
        renew its Lease in time."""
        pod = self.site.in_namespace_json("get", "pod", wait_until("somebody leads", self.leader))
        pids = self.pids(pod)
        both = f"{pids['kube-scheduler']} {pids['warpshare-scheduler']}"
        when = time.monotonic()
        done = cluster("node-exec", pod["spec"]["nodeName"][-1], "--", "sh", "-c", f"kill -0 {both} && kill -KILL {both}", check=False)
        return when if done.returncode == 0 else None

    def test_a_waiting_pod_is_bound_when_the_leading_pair_is_killed(self):
        self.site.wait_ready()
        held = gpu_pod("held", limits(1024), schedulingGates=[{"name": "test.warpshare.io/held"}])
        self.addCleanup(kubectl, "delete", "pod", "held", "--ignore-not-found", "--wait=true", "--grace-period=1")
        apply(held)
        with watching("wait", "pod", "held", "--for=jsonpath={.spec.nodeName}", f"--timeout={BINDS_WITHIN}s") as bound:
            killed = wait_until("the leading pair is killed", self.kill_leading_pair)
            kubectl("patch", "pod", "held", "--type=json", "-p", '[{"op": "remove", "path": "/spec/schedulingGates"}]')
            self.assertEqual(bound.wait(), 0, bound.stderr.read())
            print(f"bound {time.monotonic() - killed:.1f} s after the leading pair was killed", flush=True)
        self.wait_for_phase("held", "Running")
        self.site.wait_ready()

    def test_another_scheduler_takes_over_from_one_whose_extender_hangs(self):
        self.site.wait_ready()
        before = self.leader()
        pod = self.site.in_namespace_json("get", "pod", before)
        kill = ("node-exec", pod["spec"]["nodeName"][-1], "--", "kill")
        pid = self.pids(pod)["warpshare-scheduler"]
        cluster(*kill, "-STOP", pid)
        stopped = time.monotonic()
        self.addCleanup(cluster, *kill, "-CONT", pid, check=False)
        while self.leader() in ("", before):
            self.assertLess(time.monotonic() - stopped, GIVES_WAY_WITHIN)
        print(f"another leads after {time.monotonic() - stopped:.1f} s", flush=True)
        # The door is both pods', until it is seen that one does not answer.
        wait_until("only one answers at the door", lambda: self.doors() == 1)
        print(f"another keeps the door after {time.monotonic() - stopped:.1f} s", flush=True)
        self.start_when_let_in(gpu_pod("meanwhile", limits(1024)))


if __name__ == "__main__":
    unittest.main(verbosity=2)

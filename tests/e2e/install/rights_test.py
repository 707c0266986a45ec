"""What the daemons may do, in their containers and at the API server, is what deploy/README.md says and no more."""

import json
import re

from installation import NAMESPACE
from install_case import ASK_AND_STAY, InstallCase, MIB, NODES, cluster, gpu_pod, kubectl, kubectl_json, limits, unittest

API_SERVER = "https://10.81.0.1:6443"
ACCOUNT = f"system:serviceaccount:{NAMESPACE}:"
SYS_NICE = 1 << 23
CAPABILITIES = {"warpshare-node": SYS_NICE, "warpshare-scheduler": 0, "kube-scheduler": 0}
# What Pod Security's strictest standard asks of a container.
RESTRICTED = {"runAsNonRoot": True, "runAsUser": 65534, "allowPrivilegeEscalation": False,
              "capabilities": {"drop": ["ALL"]}, "seccompProfile": {"type": "RuntimeDefault"}}
ENFORCE = "pod-security.kubernetes.io/enforce"
USERS = {"warpshare-node": "0", "warpshare-scheduler": "65532", "kube-scheduler": "65532"}


class Rights(InstallCase):
    def setUp(self):
        super().setUp()
        self.site.have_manifests()

    def test_containers_have_no_rights_but_those_documented(self):
        seen = set()
        for daemon in ("warpshare-node", "warpshare-scheduler"):
            for name, status, mounts in self.processes(daemon):
                with self.subTest(name):
                    self.assertEqual({int(status[kind], 16) for kind in ("CapPrm", "CapEff", "CapBnd")}, {CAPABILITIES[name]})
                    self.assertEqual((status["NoNewPrivs"], status["Seccomp"]), ("1", "2"))
                    self.assertEqual(status["Uid"].split()[0], USERS[name])
                    self.assertRegex(mounts, r" / / ro[, ]")
                    seen.add(name)
        self.assertEqual(seen, set(USERS))

    def may(self, account, *what):
        return kubectl("auth", "can-i", "--as", ACCOUNT + account, *what, check=False).stdout.strip() == "yes"

    def test_accounts_may_not_do_what_they_need_not(self):
        for account in ("warpshare-node", "warpshare-scheduler"):
            for what in (("get", "secrets", "-A"), ("create", "pods"), ("update", "pods"), ("delete", "nodes"),
                         ("create", "clusterrolebindings")):
                with self.subTest(account, what=what):
                    self.assertFalse(self.may(account, *what))
        self.assertFalse(self.may("warpshare-node", "create", "pods", "--subresource=binding"))
        self.assertFalse(self.may("warpshare-scheduler", "patch", "mutatingwebhookconfigurations"))

    def token(self, daemon):
        """What a daemon's pod has to show."""
        return self.site.in_namespace("create", "token", daemon["spec"]["serviceAccountName"], "--bound-object-kind=Pod",
                                      f"--bound-object-name={daemon['metadata']['name']}").stdout.strip()

    def patch_status(self, daemon, node, status):
        """As the daemon does it; kubectl would read the status first, which the daemon may not. The API server's answer."""
        return json.loads(cluster("exec", "--", "curl", "--silent", "--insecure", "--request", "PATCH",
                                  "--header", f"Authorization: Bearer {self.token(daemon)}",
                                  "--header", "Content-Type: application/merge-patch+json", "--data", json.dumps({"status": status}),
                                  f"{API_SERVER}/api/v1/nodes/{node}/status").stdout)

    def as_daemon(self, daemon, *words):
        # Not the kubeconfig, whose certificate would count for more than the token.
        return cluster("exec", "--", "kubectl", "--kubeconfig=/dev/null", f"--server={API_SERVER}", "--insecure-skip-tls-verify",
                       f"--token={self.token(daemon)}", *words, check=False)

    def test_a_node_daemon_may_write_to_its_own_node_and_its_pods_only(self):
        daemon = self.site.pods("warpshare-node")[0]
        own = daemon["spec"]["nodeName"]
        other = next(node for node in NODES if node != own)
        self.start(gpu_pod("near", limits(1024), node=own), gpu_pod("far", limits(1024), node=other))
        for here, there in ((("node", own), ("node", other)), (("pod", "near"), ("pod", "far"))):
            self.assertEqual(self.as_daemon(daemon, "annotate", "--overwrite", *here, "warpshare.io/test=1").returncode, 0)
            self.assertIn("its own node only", self.as_daemon(daemon, "annotate", "--overwrite", *there, "warpshare.io/test=1").stderr)

    def test_daemons_may_change_annotations_and_cards_of_nodes_and_nothing_else(self):
        near = self.site.pods("warpshare-node")[0]
        node = near["spec"]["nodeName"]
        for daemon in (near, self.site.pods("warpshare-scheduler")[0]):
            for patch in ({"metadata": {"labels": {"a": "b"}}}, {"metadata": {"finalizers": ["a.b/c"]}},
                          {"metadata": {"ownerReferences": [{"apiVersion": "v1", "kind": "Node", "name": node, "uid": "1"}]}},
                          {"spec": {"unschedulable": True}}):
                with self.subTest(daemon["metadata"]["name"], patch=patch):
                    refused = self.as_daemon(daemon, "patch", "node", node, "--type=merge", "-p", json.dumps(patch)).stderr
                    self.assertIn("and nothing else", refused)

        for status in ({"capacity": {"cpu": "1000"}}, {"allocatable": {"warpshare.io/gpu": "1000"}}, {"capacity": {"cpu": None}},
                       {"phase": "Terminated"}, {"addresses": []}):
            with self.subTest(status=status):
                self.assertIn("to a node's status and nothing else", self.patch_status(near, node, status)["message"])
        memory = kubectl_json("get", "node", node)["status"]["capacity"]["warpshare.io/gpu-memory"]
        self.assertEqual(self.patch_status(near, node, {"capacity": {"warpshare.io/gpu-memory": memory}})["kind"], "Node")

    def test_daemons_may_change_annotations_of_pods_and_nothing_else(self):
        self.start(gpu_pod("mine", limits(1024)))
        node = kubectl_json("get", "pod", "mine")["spec"]["nodeName"]
        near, = [pod for pod in self.site.pods("warpshare-node") if pod["spec"]["nodeName"] == node]
        for daemon in (near, self.site.pods("warpshare-scheduler")[0]):
            for words in (("label", "pod", "mine", "app=other", "--overwrite"), ("set", "image", "pod/mine", "main=other:1")):
                self.assertIn("writes annotations of pods and nothing else", self.as_daemon(daemon, *words).stderr)
            held = ("patch", "pod", "mine", "--type=merge", "-p", '{"metadata": {"finalizers": ["a.b/c"]}}')
            self.assertIn("writes annotations of pods and nothing else", self.as_daemon(daemon, *held).stderr)

    def test_nothing_that_they_try_is_forbidden(self):
        self.start(gpu_pod("busy", limits(1024)))
        self.assertNotIn("forbidden", self.site.logs().lower())


    def test_pod_security_has_nothing_against_the_scheduler_and_of_the_node_daemon_only_what_is_documented(self):
        said = kubectl("label", "--dry-run=server", "--overwrite", "namespace", NAMESPACE, f"{ENFORCE}=restricted").stderr
        self.assertNotIn("warpshare-scheduler", said)
        objections = re.findall(r"warpshare-node-\w+.*?: (.*)", said)
        self.assertEqual([set(line.split(", ")) for line in objections],
                         [{"unrestricted capabilities", "restricted volume types", "runAsNonRoot != true"}])

    def test_a_pod_with_no_rights_at_all_gets_its_part(self):
        kubectl("label", "namespace", "default", f"{ENFORCE}=restricted")
        self.addCleanup(kubectl, "label", "namespace", "default", f"{ENFORCE}-")
        wanted = gpu_pod("restricted", limits(2048, 20), ASK_AND_STAY)
        refused = kubectl("create", "--dry-run=server", "-f", "-", input=json.dumps(wanted), check=False).stderr
        self.assertIn("violates PodSecurity", refused)
        wanted["spec"]["containers"][0]["securityContext"] = RESTRICTED
        self.start(wanted)
        self.assertEqual(self.said("restricted", r"^sees \d+ of (\d+)$"), (str(2048 * MIB),))

    def test_who_may_edit_pods_may_not_edit_what_they_were_given(self):
        kubectl("create", "rolebinding", "editor", "--clusterrole=edit", "--user=editor")
        self.addCleanup(kubectl, "delete", "rolebinding", "editor")
        self.start(gpu_pod("mine", limits(1024)))

        def annotate(text):
            return kubectl("annotate", "--as=editor", "--overwrite", "pod", "mine", text, check=False)
        self.assertEqual(annotate("warpshare.io/resize=memory=2GiB").returncode, 0)
        self.assertIn("is written by warpshare's scheduler", annotate("warpshare.io/assignment=v1;x").stderr)

    def test_who_may_create_pods_may_not_say_what_they_were_given(self):
        kubectl("create", "rolebinding", "editor", "--clusterrole=edit", "--user=editor")
        self.addCleanup(kubectl, "delete", "rolebinding", "editor")

        def create(name, resources, *options, annotated=True):
            wanted = gpu_pod(name, resources, annotations={"warpshare.io/assignment": "v1;node-1;main=x"} if annotated else {})
            return kubectl("create", "--dry-run=server", "-o", "json", "-f", "-", *options, input=json.dumps(wanted), check=False)
        editor = "--as=editor"
        self.assertIn("is written by warpshare's scheduler", create("no-cards", {}, editor).stderr)
        self.assertEqual(create("no-cards", {}, editor, annotated=False).returncode, 0)
        self.assertEqual(create("administrators", {}).returncode, 0)
        # A copy of a pod that has cards comes in without what the other was given.
        copied = json.loads(create("copied", limits(1024), editor).stdout)
        self.assertNotIn("warpshare.io/assignment", copied["metadata"].get("annotations", {}))


class RightsWithRealCards(InstallCase):
    def test_a_privileged_container_finds_the_hosts_driver_and_gives_up_what_it_does_not_need(self):
        self.site.have_manifests_with_stand_in_for_driver()
        for name, status, mounts in self.processes("warpshare-node"):
            self.assertEqual(int(status["CapEff"], 16) & ~SYS_NICE, 0)
            self.assertEqual(status["NoNewPrivs"], "1")
            self.assertRegex(mounts, r" / / ro[, ]")
            self.assertRegex(mounts, r" /host ro[, ]")


if __name__ == "__main__":
    unittest.main(verbosity=2)

#!/usr/bin/env python3
"""`tools/dev e2e` on a cluster of the user's: what is said when something is missing there. A program stands for kubectl."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).resolve().parents[1] / "e2e/users_cluster.py"
# Answers by how the words begin, and keeps what it was asked.
KUBECTL = f"""#!{sys.executable}
import json, os, sys
words = " ".join(sys.argv[1:])
with open(os.environ["ASKED"], "a") as asked:
    print(words, file=asked)
answers = json.load(open(os.environ["ANSWERS"]))
code, text = next((answers[start] for start in answers if words.startswith(start)), (0, ""))
print(text, file=sys.stderr if code else sys.stdout)
sys.exit(code)
"""
CONTEXT = {"contexts": [{"name": "lab", "context": {"namespace": "mine"}}]}
NODE = {"metadata": {"annotations": {"warpshare.io/cards": "v1;..."}}, "status": {"allocatable": {"warpshare.io/gpu": "16"}}}


def with_limits(*names):
    return {"spec": {"containers": [{"resources": {"limits": {name: "1" for name in names}}}]}}


def waiting(reason, message):
    return {"status": {"phase": "Pending", "containerStatuses": [{"state": {"waiting": {"reason": reason, "message": message}}}]}}


class UsersCluster(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.answers = {"config get-contexts": (0, "lab\nother"), "config view": (0, json.dumps(CONTEXT)),
                        "get nodes": (0, json.dumps({"items": [NODE]})),
                        "create --dry-run=server": (0, json.dumps(with_limits("warpshare.io/gpu", "warpshare.io/gpu-memory"))),
                        "get pod": (0, json.dumps({"status": {"phase": "Succeeded"}})), "logs": (0, "")}
        kubectl = self.folder / "kubectl"
        kubectl.write_text(KUBECTL)
        kubectl.chmod(0o755)
        (self.folder / "config").touch()

    def look(self, image="tenant:1", config="config"):
        (self.folder / "answers").write_text(json.dumps(self.answers))
        return subprocess.run([sys.executable, "-B", PROGRAM], capture_output=True, text=True, env={
            "PATH": f"{self.folder}:{os.environ['PATH']}", "HOME": str(self.folder), "KUBECONFIG": str(self.folder / config),
            "WARPSHARE_TEST_KUBECONFIG": "1", "WARPSHARE_TEST_IMAGE": image, "ANSWERS": str(self.folder / "answers"),
            "ASKED": str(self.folder / "asked")})

    def asked(self):
        path = self.folder / "asked"
        return path.read_text() if path.exists() else ""

    def assert_missing(self, *words, **options):
        done = self.look(**options)
        self.assertEqual((done.returncode, done.stderr.startswith("tools/dev e2e: ")), (1, True), done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_a_cluster_that_has_all_is_named(self):
        done = self.look()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "on the cluster of context lab, in namespace mine, with image tenant:1\n")
        self.assertIn("delete pod warpshare-test-image-", self.asked())

    def test_without_an_image_nothing_is_asked(self):
        self.assert_missing("WARPSHARE_TEST_IMAGE names no image", image="")
        self.assertEqual(self.asked(), "")

    def test_a_kubeconfig_that_is_not_there(self):
        self.assert_missing("needs KUBECONFIG set to a file", config="nowhere")

    def test_several_contexts_and_none_of_them_current(self):
        self.answers["config current-context"] = (1, "error: current-context is not set")
        self.assert_missing("says not which of its contexts is meant: kubectl config use-context NAME; there are: lab, other")

    def test_an_api_server_that_does_not_answer(self):
        self.answers["get nodes"] = (1, "The connection to the server was refused")
        self.assert_missing("kubectl get nodes does not work: The connection to the server was refused")

    def test_a_cluster_without_warpshare(self):
        self.answers["get nodes"] = (0, json.dumps({"items": [{"metadata": {}, "status": {}}]}))
        self.assert_missing("no node announces cards: install warpshare")

    def test_a_cluster_where_warpshare_node_has_gone(self):
        self.answers["get nodes"] = (0, json.dumps({"items": [{**NODE, "status": {"allocatable": {"warpshare.io/gpu": "0"}}}]}))
        self.assert_missing("their kubelets have none to give", "kubectl get pods -A")

    def test_a_cluster_without_the_webhook_or_with_one_that_does_not_answer(self):
        self.answers["create --dry-run=server"] = (0, json.dumps(with_limits("warpshare.io/gpu-memory")))
        self.assert_missing("install the webhook")
        self.answers["create --dry-run=server"] = (1, "failed calling webhook")
        self.assert_missing("a pod that asks for cards is not let in: failed calling webhook")

    def test_an_image_that_the_nodes_cannot_get(self):
        self.answers["get pod"] = (0, json.dumps(waiting("ErrImagePull", "not found")))
        self.assert_missing("image tenant:1 does not start: ErrImagePull: not found", "WARPSHARE_TEST_IMAGE")
        self.assertIn("delete pod warpshare-test-image-", self.asked())

    def test_an_image_without_the_programs(self):
        self.answers["logs"] = (0, "lacks /bin/hold\nlacks /bin/share_load")
        self.assert_missing("image tenant:1 lacks /bin/hold, lacks /bin/share_load")


if __name__ == "__main__":
    unittest.main()

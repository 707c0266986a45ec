"""The suite on a cluster as a user has it: found by KUBECONFIG, with warpshare installed from its manifests."""

import json
import re

from installation import FOLDER, IMAGE, ROOT
from install_case import InstallCase, apply, cluster, kubectl, kubectl_json, unittest

SPACE = "somebodys"
README = ROOT / "tests/e2e/README.md"
# `tools/dev e2e`, but for the build, which is there; as root, who should leave nothing in it.
SUITE = 'set -euo pipefail; root=$PWD; source tools/dev.d/shell.sh; source tools/dev.d/e2e.sh; dev_build() { :; }; dev_e2e "$@"'
RESULT = re.compile(r"^test_\w+ \((\w+)_test\.\w+\.\w+\)(?:\n.*)?? \.\.\. (ok|skipped (['\"])(.*)\3)$", re.M)


class UsersCluster(InstallCase):
    def setUp(self):
        super().setUp()
        self.site.have_manifests()
        apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": SPACE}})
        self.addCleanup(kubectl, "delete", "namespace", SPACE, "--wait=true")

    def suite(self, kubeconfig, *words, image=IMAGE):
        """As tests/e2e/README.md has it, where the API server can be reached."""
        return cluster("exec", "--", "env", "-u", "WARPSHARE_CLUSTER_DIR", f"KUBECONFIG={kubeconfig}", "WARPSHARE_TEST_KUBECONFIG=1",
                       f"WARPSHARE_TEST_IMAGE={image}", "bash", "-c", SUITE, "tools/dev", *words, check=False, cwd=ROOT)

    def contexts(self, current):
        """A file beside the administrator's, with a context of that cluster in a namespace of somebody's."""
        view = json.loads(kubectl("config", "view", "--raw", "-o", "json").stdout)
        path = FOLDER / "contexts.yaml"
        path.write_text(json.dumps({"apiVersion": "v1", "kind": "Config", "current-context": current, "contexts": [
            {"name": "somebody", "context": {**view["contexts"][0]["context"], "namespace": SPACE}}]}))
        self.addCleanup(path.unlink)
        return path

    def test_the_suite_runs_there_in_the_current_namespace_and_leaves_nothing(self):
        done = self.suite(f"{self.contexts('somebody')}:{FOLDER}/kubeconfig:/nowhere")
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-8000:])
        self.assertIn(f"context somebody, in namespace {SPACE}", done.stdout)
        results = [(found[1], found[2], found[4]) for found in RESULT.finditer(done.stderr)]
        self.assertEqual(len(results), int(re.search(r"^Ran (\d+) tests", done.stderr, re.M)[1]))
        self.assertEqual({why for _, how, why in results if how != "ok" and not why.startswith("only on the test cluster: ")}, set())
        self.assertEqual({module for module, how, _ in results if how == "ok"}, self.documented())
        self.assertEqual(kubectl_json("get", "pods", "-n", SPACE)["items"], [])
        print(f"{sum(how == 'ok' for _, how, _ in results)} of {len(results)} ran ", end="", flush=True)

    @staticmethod
    def documented():
        sentence = re.search(r"^Of these run there: (.*?)\.$", README.read_text(), re.M | re.S)[1]
        return set(re.findall(r"`(\w+)`", sentence))

    def assert_refused(self, words, *suite, **options):
        done = self.suite(*suite, **options)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertIn(words, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertNotIn("Ran ", done.stderr)

    def test_what_is_missing_is_said_before_anything_runs(self):
        admin = FOLDER / "kubeconfig"
        self.assert_refused("WARPSHARE_TEST_IMAGE names no image", admin, image="")
        self.assert_refused("needs KUBECONFIG set to a file", "/nowhere")
        self.assert_refused("kubectl config use-context NAME; there are: somebody", self.contexts(""))
        self.assert_refused("image warpshare.test/nothing:1 does not start", admin, image="warpshare.test/nothing:1")
        self.site.have_nothing()
        self.assert_refused("no node announces cards: install warpshare", admin)


if __name__ == "__main__":
    unittest.main(verbosity=2)

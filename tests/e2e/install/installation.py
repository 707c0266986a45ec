"""The test cluster with the images of deploy/image in it and nothing installed, for all tests of a run."""

import atexit
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests/e2e"), str(ROOT / "tests/cluster")]

from cluster_case import cluster, kubectl, kubectl_json, wait_until  # noqa: E402
from stage import BUILD, FOLDER, IMAGE, slots  # noqa: E402

NAMESPACE = "warpshare-system"
NODES = ("node-1", "node-2")
MANIFESTS = ROOT / "deploy/manifests"
MARK = "warpshare.io/node=true"
CHART = ROOT / "deploy/helm/warpshare"
DAEMONS = ("warpshare-node", "warpshare-scheduler")
VERSION = re.search(r"project\(\w+ VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
NEXT = "next"
KUBE_SCHEDULER = re.search(r"image: (\S*kube-scheduler):(\S+)", (MANIFESTS / "20-scheduler.yaml").read_text())
ALL_SLOTS = 32


class Site:
    def __init__(self):
        self.there = None
        atexit.register(cluster, "down", check=False)
        cluster("up")
        self.load_daemons(VERSION)
        self.load_others()

    def load_next(self):
        """Of the next version: with another interposer, so that containers get another folder of libraries."""
        self.load_daemons(NEXT, other_library=True)

    def load_daemons(self, version, other_library=False):
        with tempfile.TemporaryDirectory(prefix="warpshare-images-") as scratch:
            installed = pathlib.Path(scratch, "installed")
            subprocess.run(["cmake", "--install", BUILD, "--prefix", installed, "--strip"], check=True, stdout=subprocess.DEVNULL)
            if other_library:
                with (installed / "lib/warpshare/libcuda.so.1").open("ab") as library:
                    library.write(b"\0")
            for name in DAEMONS:
                root = pathlib.Path(scratch, name)
                subprocess.run([ROOT / "deploy/image/make-root", name, installed, root], check=True)
                self.load(f"{name}:{version}", root, "--entrypoint", f"/usr/local/bin/{name}")

    def load_others(self):
        programs = cluster("build", "--no-fake-nodes").stdout.strip()
        # The manifests name a version, and the chart takes the cluster's.
        versions = {KUBE_SCHEDULER[2], json.loads(kubectl("version", "-o", "json").stdout)["serverVersion"]["gitVersion"]}
        for version in versions:
            self.load(f"{KUBE_SCHEDULER[1]}:{version}", f"--program={programs}/kube-scheduler=/usr/local/bin/kube-scheduler")
        cluster("load-image", IMAGE, *(f"--program={BUILD}/{path}=/bin/{pathlib.Path(path).name}"
                                       for path in ("tests/bin/hold", "bin/simgpu-smi", "bin/share_load")))

    @staticmethod
    def load(image, *words):
        cluster("load-image", "--bare", image, *words)

    def have_manifests(self):
        """deploy/manifests with simulated cards, if they are not there already."""
        if self.there == "manifests":
            return
        self.have_nothing()
        self.have_marked_nodes("manifests")
        kubectl("apply", "-f", MANIFESTS)
        self.in_namespace("patch", "daemonset", "warpshare-node", "--patch-file", ROOT / "deploy/simulated.yaml")
        self.wait_ready()

    def have_manifests_with_stand_in_for_driver(self):
        """As they are for real cards, but for the folder that is the host's: the simulated driver where Debian has the real one,
        and files in place of device nodes. So cards are announced, and no pod could use them."""
        self.have_nothing()
        self.have_marked_nodes("manifests for real cards")
        host = FOLDER / "host-with-driver"
        for folder in ("opt/driver", "usr/lib64", "dev"):
            (host / folder).mkdir(parents=True)
        for name in ("libcuda.so.1", "libnvidia-ml.so.1"):
            shutil.copy(BUILD / "lib/simgpu" / name, host / "opt/driver")
            (host / "usr/lib64" / name).symlink_to(f"/opt/driver/{name}")
        for name in ("nvidia0", "nvidia1", "nvidiactl", "nvidia-uvm"):
            (host / "dev" / name).touch()
        manifests = "".join(f"---\n{path.read_text()}" for path in sorted(MANIFESTS.glob("*.yaml")))
        kubectl("apply", "-f", "-", input=manifests.replace("path: /\n", f"path: {host}\n"))
        self.wait_ready()

    def have_marked_nodes(self, by):
        self.there = by
        kubectl("label", "--overwrite", "node", *NODES, MARK)

    def have_nothing(self):
        """What is installed goes as deploy/README.md says, word for word; returns when its pods have gone."""
        if self.there:
            cluster("exec", "--", "sh", "-ec", uninstall_words(self.there), cwd=ROOT)
        self.there = None
        wait_until("the daemons are gone", lambda: not any(self.pods(daemon) for daemon in DAEMONS))

    def helm(self, *words):
        return cluster("exec", "--", helm(), *words, "--namespace", NAMESPACE)

    def helm_install(self, command, *sets):
        self.have_marked_nodes("chart")
        values = [word for one in ("node.simulated=true", *sets) for word in ("--set", one)]
        self.helm(command, "warpshare", CHART, "--create-namespace", "--wait", "--timeout", "6m", *values)
        kubectl("label", "--overwrite", "namespace", NAMESPACE, "pod-security.kubernetes.io/enforce=privileged")
        self.wait_ready()

    @staticmethod
    def in_namespace(*words, **options):
        return kubectl("--namespace", NAMESPACE, *words, **options)

    def wait_ready(self):
        for owner in ("daemonset/warpshare-node", "deployment/warpshare-scheduler"):
            done = self.in_namespace("rollout", "status", owner, "--timeout=360s", check=False)
            if done.returncode != 0:
                raise AssertionError(f"{done.stderr}{self.logs()}")
        wait_until("the nodes announce their cards", lambda: all(slots(node) == ALL_SLOTS for node in NODES))

    def pods(self, daemon):
        return self.in_namespace_json("get", "pods", "-l", f"app.kubernetes.io/name={daemon}")["items"]

    @staticmethod
    def in_namespace_json(*words):
        return kubectl_json("--namespace", NAMESPACE, *words)

    def logs(self):
        """Of all that runs now, for people and for what must not be in them."""
        return "".join(f"{daemon}: {self.in_namespace('describe', 'pods', '-l', f'app.kubernetes.io/name={daemon}').stdout[-1500:]}"
                       f"{self.in_namespace('logs', '-l', f'app.kubernetes.io/name={daemon}', '--all-containers', '--tail=-1', check=False).stdout}"
                       for daemon in DAEMONS)


def uninstall_words(by):
    """The commands of deploy/README.md, for what the chart or the manifests made."""
    text = (ROOT / "deploy/README.md").read_text().split("\n## Uninstall\n")[1]
    words = text.split("```\n")[1]
    chart, manifests = re.search(r"^(helm .*?) +# or: (.*)$", words, re.M).groups()
    wanted = chart.replace("helm", str(helm()), 1) + " --wait" if by == "chart" else manifests
    return words.replace(re.search(r"^helm .*$", words, re.M)[0], wanted)


def helm():
    named = os.environ.get("WARPSHARE_HELM") or shutil.which("helm")
    return named or subprocess.run([ROOT / "tests/deploy/helm/build"], check=True, capture_output=True, text=True).stdout.strip()


@functools.cache
def site():
    return Site()

"""The test cluster with warpshare on it, for all tests of a run: up at the first use, down at the end."""

import atexit
import functools
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cluster"))
os.environ.setdefault("WARPSHARE_CLUSTER_DIR", f"/var/tmp/warpshare-e2e-{os.getpid()}")

from cluster_case import CLUSTER, cluster, kubectl_json, wait_until  # noqa: E402

BUILD = pathlib.Path(os.environ.get("WARPSHARE_BUILD_DIR", ROOT / "build/release"))
FOLDER = pathlib.Path(os.environ["WARPSHARE_CLUSTER_DIR"])
KUBECONFIG = FOLDER / "kubeconfig"
IMAGE = "warpshare.test/tenant:1"
NODES = ("node-1", "node-2")
# Only kube-scheduler is there with it, in a network of the cluster's own.
EXTENDER = "http://127.0.0.1:10380/scheduler"
METRICS_PORT = 9464


class Stage:
    def __init__(self):
        atexit.register(self.down)
        cluster("up", "--extender", EXTENDER)
        cluster("load-image", IMAGE, *(f"--program={BUILD}/{path}=/bin/{pathlib.Path(path).name}"
                                       for path in ("tests/bin/hold", "bin/simgpu-smi")))
        for node in (1, 2):
            self.start_node(node)
        self.start_scheduler()
        wait_until("the nodes announce their cards", lambda: all(slots(node) == 32 for node in NODES))

    def start_node(self, number):
        cluster("node-start", number, "warpshare-node", "--", BUILD / "bin/warpshare-node", "--sim",
                "--kubelet-dir", "/var/lib/kubelet", "--node-name", f"node-{number}", "--kubeconfig", KUBECONFIG,
                "--metrics-port", METRICS_PORT)

    def stop_node(self, number):
        cluster("stop", f"warpshare-node-{number}")

    def start_scheduler(self):
        """Beside kube-scheduler; `exec` becomes the program, so that killing it is killing this."""
        with open(FOLDER / "logs/warpshare-scheduler.log", "a") as log:
            self.scheduler = subprocess.Popen(
                [CLUSTER, "exec", "--", BUILD / "bin/warpshare-scheduler", "--alone", "--kubeconfig", KUBECONFIG],
                stdin=subprocess.DEVNULL, stderr=log)

    def kill_scheduler(self):
        self.scheduler.kill()
        self.scheduler.wait()

    def metrics(self, node):
        """(name, labels) -> value, as Prometheus would read them."""
        text = cluster("node-exec", node, "--", "curl", "-sS", f"http://127.0.0.1:{METRICS_PORT}/metrics").stdout
        return dict(line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))

    def down(self):
        if hasattr(self, "scheduler"):
            self.kill_scheduler()
        cluster("down", check=False)


@functools.cache
def stage():
    return Stage()


def slots(node):
    """What the kubelet says that it can give away."""
    return int(kubectl_json("get", "node", node)["status"].get("allocatable", {}).get("warpshare.io/gpu", 0))


def cards(node):
    """The uuids of a node's cards, as it announces them."""
    text = kubectl_json("get", "node", node)["metadata"]["annotations"]["warpshare.io/cards"]
    return [card.split(":")[0] for card in text.split(";")[1:]]

"""The test cluster with warpshare on it, for all tests of a run: up at the first use, down at the end.

WARPSHARE_TEST_KUBECONFIG=1: the user's own cluster instead, which has warpshare and is left as it is; README.md.
"""

import atexit
import functools
import json
import os
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cluster"))
os.environ.setdefault("WARPSHARE_CLUSTER_DIR", f"/var/tmp/warpshare-e2e-{os.getpid()}")

from cluster_case import ON_USERS_CLUSTER, cluster, kubectl_json, wait_until  # noqa: E402

BUILD = pathlib.Path(os.environ.get("WARPSHARE_BUILD_DIR", ROOT / "build/release"))
FOLDER = pathlib.Path(os.environ["WARPSHARE_CLUSTER_DIR"])
KUBECONFIG = FOLDER / "kubeconfig"
IMAGE = os.environ.get("WARPSHARE_TEST_IMAGE", "warpshare.test/tenant:1")
# Only kube-scheduler is there with it, in a network of the cluster's own.
EXTENDER = "http://127.0.0.1:10380/scheduler"
METRICS_PORT = 9464
SCHEDULER_METRICS_PORT = 9465
SYSTEM = "warpshare-system"
WEBHOOK_PORT = 8443
DOOR_FLAGS = ("--webhook", "warpshare", "--webhook-port", WEBHOOK_PORT, "--webhook-name", "localhost",
              "--webhook-secret", f"{SYSTEM}/warpshare-webhook", "--quotas", f"{SYSTEM}/warpshare-quota")
# The nodes' cards differ, for there to be something to choose.
MODELS = {1: "Simulated A100", 2: "Simulated L40S"}
# Before a URL: a command that prints what is there.
READ = (sys.executable, "-c", "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=30).read().decode())")


def needs_test_cluster(why):
    """Of a test, or a class of them, that does what nobody should do to a cluster in use."""
    return unittest.skipIf(ON_USERS_CLUSTER, f"only on the test cluster: {why}")


def samples(text):
    """name and labels -> value, of what Prometheus reads."""
    return dict(line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))


class Stage:
    def __init__(self):
        atexit.register(self.down)
        cluster("up", "--extender", EXTENDER)
        cluster("load-image", IMAGE, *(f"--program={BUILD}/{path}=/bin/{pathlib.Path(path).name}"
                                       for path in ("tests/bin/hold", "bin/simgpu-smi", "bin/share_load")))
        for node in MODELS:
            self.start_node(node)
        self.start_scheduler()
        self.wait_for_cards()

    @staticmethod
    def wait_for_cards():
        wait_until("the nodes announce their cards", lambda: all(slots(f"node-{node}") == 32 for node in MODELS))

    def start_node(self, number, *flags):
        cluster("node-start", number, "warpshare-node", "--", "env", f"SIMGPU_NAME={MODELS[number]}",
                BUILD / "bin/warpshare-node", "--sim", "--kubelet-dir", "/var/lib/kubelet", "--node-name", f"node-{number}",
                "--kubeconfig", KUBECONFIG, "--metrics-port", METRICS_PORT, *flags)

    def stop_node(self, number):
        cluster("stop", f"warpshare-node-{number}")

    def kill_node(self, number):
        cluster("stop", "--kill", f"warpshare-node-{number}")

    def start_scheduler(self):
        """Beside kube-scheduler. The webhook and the quotas are those of door.py, and of nobody before it made them."""
        cluster("start", "warpshare-scheduler", "--", BUILD / "bin/warpshare-scheduler", "--alone", "--kubeconfig", KUBECONFIG,
                "--metrics-port", SCHEDULER_METRICS_PORT, *DOOR_FLAGS)

    def kill_scheduler(self):
        cluster("stop", "--kill", "warpshare-scheduler")

    def truth(self, node, seconds):
        """Who had a node's cards in the next seconds, as the simulated cards know it: lines of card_truth."""
        said = cluster("node-exec", node, "--", BUILD / "tests/bin/card_truth", "/dev/shm/simgpu-0", 1000 * seconds).stdout
        return [json.loads(line) for line in said.splitlines()]

    def fault(self, node, card, xid):
        """A node's card, by its number there, reports a fault."""
        cluster("node-exec", node, "--", BUILD / "tests/bin/card_fault", "/dev/shm/simgpu-0", card, xid)

    def hang(self, node, card, does):
        """No question about a node's card comes back any more, or those that wait do (docs/simgpu.md)."""
        cluster("node-exec", node, "--", *(("touch",) if does else ("rm", "-f")), f"/dev/shm/simgpu-0/hang{card}")

    def metrics(self, node):
        """(name, labels) -> value, as Prometheus would read them."""
        return samples(cluster("node-exec", node, "--", *READ, f"http://127.0.0.1:{METRICS_PORT}/metrics").stdout)

    def scheduler_metrics(self):
        return samples(cluster("exec", "--", *READ, f"http://127.0.0.1:{SCHEDULER_METRICS_PORT}/metrics").stdout)

    def scheduler_allocated(self):
        """node -> bytes that the scheduler's ledger has as given away."""
        return {labels.split('node="')[1].split('"')[0]: float(value) for labels, value in self.scheduler_metrics().items()
                if labels.startswith("warpshare_scheduler_node_memory_allocated_bytes")}

    def wait_for_daemons(self):
        """Until all answer and the scheduler knows the cluster, after some were started."""
        def answer():
            try:
                return all(map(self.metrics, MODELS)) and float(self.scheduler_metrics()["warpshare_scheduler_serves"])
            except AssertionError:
                return False
        wait_until("the daemons answer", answer)
        self.wait_for_cards()

    def allocated(self):
        """card -> bytes given away, by the daemons' own metrics."""
        return {labels.split('card="')[1].split('"')[0]: float(value) for node in MODELS
                for labels, value in self.metrics(node).items() if labels.startswith("warpshare_card_memory_allocated_bytes")}

    def down(self):
        cluster("down", check=False)


@functools.cache
def stage():
    return None if ON_USERS_CLUSTER else Stage()


def announced(node):
    return node["metadata"].get("annotations", {}).get("warpshare.io/cards")


@functools.cache
def nodes_with_cards():
    """The names of all nodes that have some."""
    stage()
    found = sorted(node["metadata"]["name"] for node in kubectl_json("get", "nodes")["items"] if announced(node))
    if not found:
        raise AssertionError("no node announces cards; is warpshare-node running?")
    return found


def nodes():
    """Two nodes with cards, or the only one there is."""
    return nodes_with_cards()[:2]


def slots(node):
    """What the kubelet says that it can give away."""
    return int(kubectl_json("get", "node", node)["status"].get("allocatable", {}).get("warpshare.io/gpu", 0))


def announcements(node):
    """Of each card the words of which a node announces it: uuid, memory, ..., and last the model."""
    return [card.split(":", 6) for card in announced(kubectl_json("get", "node", node)).split(";")[1:]]


def cards(node):
    """The uuids of a node's cards."""
    return [card[0] for card in announcements(node)]


def model(node):
    return announcements(node)[0][6]


def lingering(node):
    """What a node says of processes whose pods are gone."""
    return kubectl_json("get", "node", node)["metadata"]["annotations"].get("warpshare.io/lingering", "")

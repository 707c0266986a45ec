"""A cluster for benchmarks: the test cluster's control plane and KWOK, warpshare-scheduler beside kube-scheduler, no real nodes.

A cluster that runs already in WARPSHARE_CLUSTER_DIR is used as it is, and left; then its kube-scheduler must have our
configuration (`cluster up --scheduler-config bench/kube/kube-scheduler.yaml`).
"""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("WARPSHARE_BUILD_DIR", ROOT / "build/release"))
CLUSTER = ROOT / "tests/cluster/cluster"
FOLDER = pathlib.Path(os.environ.setdefault("WARPSHARE_CLUSTER_DIR", f"/var/tmp/warpshare-bench-{os.getpid()}"))
CONFIG = ROOT / "bench/kube/kube-scheduler.yaml"
NODES = (1, 2)


def cluster(*words: object, **options) -> subprocess.CompletedProcess:
    return subprocess.run([CLUSTER, *map(str, words)], check=True, **{"stdout": sys.stderr, **options})


def up() -> None:
    cluster("up", "--scheduler-config", CONFIG)
    for number in NODES:
        for part in ("kubelet", "containerd", "kube-proxy"):
            cluster("stop", f"{part}-{number}")
        cluster("kubectl", "delete", "node", f"node-{number}")
    # On a busy machine it takes nodes for dead whose heartbeats are late.
    cluster("stop", "kube-controller-manager")
    # Starts KWOK. Of a thousand nodes the leases would be renewed all at once, for two seconds of both processors.
    cluster("fake-nodes", 0, "--lease-seconds", 24 * 3600)


def look_at(percent: int) -> None:
    """Of the nodes, kube-scheduler for each pod of warpshare's profile."""
    words = re.sub(r"percentageOfNodesToScore: .*", f"percentageOfNodesToScore: {percent}", CONFIG.read_text())
    path = FOLDER / "kube-scheduler.yaml"
    path.write_text(words)
    cluster("restart", "kube-scheduler", "--scheduler-config", path)


def rights() -> str:
    """Of deploy/, without what would run there."""
    objects = (ROOT / "deploy/manifests/20-scheduler.yaml").read_text().split("\n---\n")
    namespace = (ROOT / "deploy/manifests/00-namespace.yaml").read_text()
    return "\n---\n".join([namespace, *(each for each in objects if re.search(r"^kind: (ServiceAccount|.*Role.*)$", each, re.M))])


def service_account() -> pathlib.Path:
    """A kubeconfig with the rights of a deployed warpshare-scheduler and, as there, with a token: the API server verifies the
    administrator's certificate anew at each request, for a millisecond of processor time."""
    cluster("kubectl", "apply", "-f", "-", input=rights(), text=True)
    token = cluster("kubectl", "create", "token", "warpshare-scheduler", "--namespace=warpshare-system", "--duration=24h",
                    stdout=subprocess.PIPE, text=True).stdout.strip()
    words = re.sub(r"client-certificate: .*\n *client-key: .*", f"token: {token}", (FOLDER / "kubeconfig").read_text())
    path = FOLDER / "warpshare-scheduler.kubeconfig"
    path.write_text(words)
    return path


@contextlib.contextmanager
def scheduler():
    program = BUILD / "bin/warpshare-scheduler"
    cluster("start", program.name, "--", program, "--alone", "--kubeconfig", service_account())
    try:
        yield
    finally:
        cluster("stop", program.name)


@contextlib.contextmanager
def stage(part: int | None = None):
    """Inside, `run` runs a script where the API server can be reached. PART: look_at."""
    is_ours = not FOLDER.exists()
    if part is not None and not is_ours:
        sys.exit(f"bench: {FOLDER} is used as it is, and left: without WARPSHARE_CLUSTER_DIR a cluster of our own can look at a part")
    # So that what was started ends with us.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("bench: ended from outside"))
    try:
        if is_ours:
            up()
        if part is not None:
            look_at(part)
        with scheduler():
            yield
    finally:
        if is_ours:
            cluster("down")


def run(script: pathlib.Path, *words: object, **options) -> None:
    cluster("exec", "--", sys.executable, "-B", script, *words, stdout=None, **options)

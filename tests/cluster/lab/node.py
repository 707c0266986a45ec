"""A real node: containerd, kubelet and kube-proxy in namespaces of its own."""

import pathlib
import subprocess
import sys

from lab import daemons, kernel
from lab.daemons import start, wait_for, wait_for_daemon
from lab.images import PAUSE_IMAGE
from lab.layout import FOLDER, Failure, State, filled, node_address, node_name, pod_range

CONTAINERD_SOCKET = "/run/containerd/containerd.sock"


def rooms_name(number: int) -> str:
    return f"{node_name(number)}-rooms"


def make_rooms(state: State, number: int) -> None:
    state.node(number).mkdir(exist_ok=True)
    start(state, rooms_name(number), [sys.executable, "-m", "lab.node_rooms", state.folder, number],
          {"PYTHONPATH": str(FOLDER), "PYTHONDONTWRITEBYTECODE": "1"})
    wait_for_daemon(state, rooms_name(number), (state.node(number) / "rooms-ready").exists)


def rooms_pid(state: State, number: int) -> int:
    """The process that holds the node's namespaces, as seen from outside the cluster."""
    inner = daemons.children(state)[rooms_name(number)]["pid"]
    return kernel.outer_pid(inner, daemons.running_supervisor(state).pid_namespace)


def entering(pid: int, with_pid_namespace: bool = False) -> list[str]:
    """The words before a command that make it run on the node whose namespaces PID holds."""
    spaces = ["net", "mnt", "uts"] + (["pid"] if with_pid_namespace else [])
    options = {"net": "--net", "mnt": "--mount", "uts": "--uts", "pid": "--pid"}
    return ["nsenter", *(f"{options[space]}=/proc/{pid}/ns/{space}" for space in spaces)]


def on_node(state: State, number: int, *words: object, **options) -> subprocess.CompletedProcess:
    return subprocess.run([*entering(rooms_pid(state, number), True), *map(str, words)], **options)


def start_on_node(state: State, name: str, number: int, words: list[object]) -> None:
    inner = daemons.children(state)[rooms_name(number)]["pid"]
    start(state, f"{name}-{number}", [*entering(inner), *words], {"PATH": f"{state.programs}:{daemons.SYSTEM_PATH}"})


def file_system_of(folder: pathlib.Path) -> str:
    return subprocess.run(["stat", "-f", "-c", "%T", folder], check=True, capture_output=True, text=True).stdout.strip()


def write_config(state: State, number: int) -> None:
    node, folder = node_name(number), state.node(number) / "config"
    folder.mkdir(exist_ok=True)
    # An overlay cannot stand on another one, as in a container; plain copies can.
    snapshotter = "native" if file_system_of(state.folder) == "overlayfs" else "overlayfs"
    (folder / "containerd.toml").write_text(filled("containerd.toml", pause_image=PAUSE_IMAGE, snapshotter=snapshotter))
    (folder / "kubelet.yaml").write_text(filled(
        "kubelet.yaml", node=node, address=node_address(number), certificates=state.certificates,
        pod_range=pod_range(number), cgroup=state.cgroup))
    (folder / "kube-proxy.yaml").write_text(filled(
        "kube-proxy.yaml", node=node, kubeconfig=state.config / "kube-proxy.kubeconfig"))
    (state.node(number) / "var-lib-kubelet/manifests").mkdir()
    network = state.node(number) / "etc-cni-net.d"
    (network / "10-pods.conflist").write_text(filled("cni.conflist", pod_range=pod_range(number)))


def start_containerd(state: State, number: int) -> None:
    start_on_node(state, "containerd", number,
                  [state.programs / "containerd", "--config", state.node(number) / "config/containerd.toml"])
    wait_for_daemon(state, f"containerd-{number}", lambda: containerd_answers(state, number))


def containerd_answers(state: State, number: int) -> bool:
    asked = on_node(state, number, state.programs / "ctr", "-a", CONTAINERD_SOCKET, "-n", "k8s.io", "images", "ls", "-q",
                    capture_output=True)
    return asked.returncode == 0


def start_kubelet(state: State, number: int) -> None:
    start_on_node(state, "kubelet", number, [
        state.programs / "kubelet", f"--config={state.node(number)}/config/kubelet.yaml",
        f"--kubeconfig={state.config}/{node_name(number)}.kubeconfig", f"--hostname-override={node_name(number)}",
        f"--node-ip={node_address(number)}"])


def start_kube_proxy(state: State, number: int) -> None:
    start_on_node(state, "kube-proxy", number,
                  [state.programs / "kube-proxy", f"--config={state.node(number)}/config/kube-proxy.yaml"])


def import_image(state: State, number: int, archive: pathlib.Path) -> None:
    done = on_node(state, number, state.programs / "ctr", "-a", CONTAINERD_SOCKET, "-n", "k8s.io", "images", "import",
                   archive, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{node_name(number)} did not take the image: {done.stderr.strip()}")


def wait_ready(state: State, number: int, ready_nodes) -> None:
    wait_for(f"node {node_name(number)}, Ready,", lambda: node_name(number) in ready_nodes(), 60,
             state.log(f"kubelet-{number}"))

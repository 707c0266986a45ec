"""`up`, `restart` and `status`: the order in which things are made, and what is said about them."""

import json
import os
import pathlib
import sys
import time

from lab import certificates, cgroups, control_plane, daemons, fake_nodes, images, network, node, node_rooms, teardown
from lab.kubectl import kubectl, kubectl_json, ready_nodes
from lab.layout import NODES, Failure, State, node_name


def say(text: str, started: float) -> None:
    print(f"[{time.monotonic() - started:5.1f} s] {text}", file=sys.stderr, flush=True)


def prepare(state: State) -> int:
    """The folder and the lock on it. A cluster that runs, or that a killed `up` left, is for `down` first."""
    node_rooms.refuse_hidden(state)
    try:
        state.folder.mkdir(mode=0o711)
    except FileExistsError:
        raise Failure(f"there is a cluster, or what is left of one, in {state.folder}; "
                      "see tools/dev cluster status, or end it: tools/dev cluster down") from None
    lock = teardown.locked(state, patience=0)
    state.mark.touch()
    for folder in (state.logs, state.config, state.images, state.programs):
        folder.mkdir()
    return lock


def up(state: State, built: pathlib.Path, choices: dict) -> None:
    started = time.monotonic()
    lock = prepare(state)
    state.built.symlink_to(built)
    state.choices.write_text(json.dumps(choices))
    cgroups.make(state)
    node_rooms.make_mount_points(state)
    daemons.start_supervisor(state, lock)
    say("namespaces and network", started)
    for number in NODES:
        node.make_rooms(state, number)
    network.connect(daemons.running_supervisor(state).pid, {number: node.rooms_pid(state, number) for number in NODES})
    certificates.make(state)
    say("containerd on each node", started)
    images.build_pause(state.images / "pause.tar")
    for number in NODES:
        node.write_config(state, number)
        node.start_containerd(state, number)
        node.import_image(state, number, state.images / "pause.tar")
    say("control plane", started)
    control_plane.write_scheduler_config(state, choices["extender"], choices["scheduler_config"])
    control_plane.start_all(state)
    say("kubelets", started)
    for number in NODES:
        node.start_kubelet(state, number)
    kubectl(state, "create", "clusterrolebinding", "kube-proxy", "--clusterrole=system:node-proxier",
            "--user=system:kube-proxy", quiet=True)
    for number in NODES:
        node.wait_ready(state, number, lambda: ready_nodes(state))
        node.start_kube_proxy(state, number)
    wait_for_default_account(state)
    if choices["fake_nodes"]:
        say(f"{choices['fake_nodes']} fake nodes", started)
        fake_nodes.start(state, choices["fake_nodes"])
    say("the cluster is up; try: tools/dev cluster kubectl get nodes", started)
    os.close(lock)


def wait_for_default_account(state: State) -> None:
    """Until the controller manager has made it, the API server refuses every pod."""
    daemons.wait_for("the default service account", lambda: kubectl(
        state, "get", "serviceaccount", "default", quiet=True, check=False).returncode == 0, 60,
        state.log("kube-controller-manager"))


def restart(state: State, part: str, choices: dict) -> None:
    """PART is a daemon's name in `status`, or short: scheduler, kubelet 1."""
    name = full_name(part, daemons.children(state))
    kind, _, number = name.rpartition("-")
    on_node = {"kubelet": node.start_kubelet, "containerd": node.start_containerd, "kube-proxy": node.start_kube_proxy}
    alone = {"etcd": control_plane.start_etcd, "kube-apiserver": control_plane.start_api_server,
             "kube-controller-manager": control_plane.start_controller_manager,
             "kube-scheduler": control_plane.start_scheduler, "kwok": fake_nodes.start_kwok}
    if name not in alone and kind not in on_node:
        raise Failure(f"{name} came by `start` or `node-start`: `stop {name}`, then start it as before")
    daemons.stop(state, name)
    if name == "kube-scheduler":
        chosen = json.loads(state.choices.read_text()) | {key: value for key, value in choices.items() if value}
        control_plane.write_scheduler_config(state, chosen["extender"], chosen["scheduler_config"])
    if name in alone:
        alone[name](state)
    else:
        on_node[kind](state, int(number))
    if name in control_plane.HEALTH:
        control_plane.wait_healthy(state, name)


def full_name(part: str, children: dict) -> str:
    for name in (part, f"kube-{part}"):
        if name in children and not name.endswith("-rooms"):
            return name
    known = ", ".join(name for name in sorted(children) if not name.endswith("-rooms"))
    raise Failure(f"no daemon {part!r} in this cluster; there are: {known}")


def status(state: State) -> None:
    found = daemons.supervisor(state)
    if found is None:
        left = teardown.leftovers(state)
        print("no cluster runs here" + ("; left of one:\n  " + "\n  ".join(left) +
                                        "\nremove it: tools/dev cluster down" if left else ""))
        return
    print(f"state       {state.folder}\nprograms    {state.built.resolve()}\nsupervisor  process {found.pid}\n")
    for name, child in daemons.children(state).items():
        print(f"{name:26} " + ("runs" if child["status"] is None else f"ended with {child['status']}: {state.log(name)}"))
    print(flush=True)
    kubectl(state, "get", "nodes", "-o", "wide", "--selector=type!=kwok", check=False)
    fakes = len(kubectl_json(state, "get", "nodes", "--selector=type=kwok")["items"])
    if fakes:
        print(f"and {fakes} fake nodes")

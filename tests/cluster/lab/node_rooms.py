"""A node's namespaces: `python3 -m lab.node_rooms STATE NUMBER`, run by the supervisor, gives the calling process a network,
mount and host name of its own and then sleeps in them for ever. Whatever joins it (`tools/dev cluster node-exec`) is on the node.
"""

import os
import pathlib
import sys

from lab import daemons, kernel
from lab.layout import Failure, State, node_name

# What is a node's own though the whole machine is visible on it. The first lie on the node's disk, the others in memory.
ON_DISK = ("/var/lib/kubelet", "/var/lib/containerd", "/var/lib/cni", "/var/lib/warpshare", "/var/log/pods",
           "/var/log/containers", "/etc/cni/net.d", "/etc/cdi")
IN_MEMORY = ("/run", "/dev/shm")
# What the kubelet wants of the whole machine's kernel and would set. It reads and writes a file of the node's instead.
KERNEL_SETTINGS = {"vm/overcommit_memory": 1, "vm/panic_on_oom": 0, "kernel/panic": 10, "kernel/panic_on_oops": 1,
                   "kernel/keys/root_maxkeys": 1000000, "kernel/keys/root_maxbytes": 25000000}


def make_mount_points(state: State) -> None:
    """Makes the folders that the machine lacks, each noted for `down` before it is made. Those that another living cluster
    made are noted as well: the last one to end removes them, because removing one would unmount it on the others' nodes."""
    others = {line for other in daemons.living_clusters() if other.made_folders.exists()
              for line in other.made_folders.read_text().splitlines()}
    for top in ON_DISK:
        path = pathlib.Path(top)
        for folder in (*reversed(path.parents), path):
            missing = not folder.exists()
            if missing or str(folder) in others:
                with state.made_folders.open("a") as notes:
                    notes.write(f"{folder}\n")
            if missing:
                folder.mkdir()


def refuse_hidden(state: State) -> None:
    for top in IN_MEMORY:
        if state.folder.is_relative_to(top):
            raise Failure(f"the cluster's folder {state.folder} must not lie under {top}, which each node has for itself; "
                          "name another in WARPSHARE_CLUSTER_DIR")


def own_rooms(state: State, number: int) -> None:
    kernel.unshare(kernel.CLONE_NEWNS | kernel.CLONE_NEWNET | kernel.CLONE_NEWUTS)
    kernel.mount("none", "/", flags=kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.set_host_name(node_name(number))
    for top in ON_DISK:
        disk = state.node(number) / top.strip("/").replace("/", "-")
        disk.mkdir(parents=True, exist_ok=True)
        kernel.bind(disk, top)
    for top in IN_MEMORY:
        kernel.mount("tmpfs", top, "tmpfs", options="mode=755" if top == "/run" else "mode=1777")
    pathlib.Path("/run/lock").mkdir(mode=0o1777)
    for name, value in KERNEL_SETTINGS.items():
        file = state.node(number) / "settings" / name.replace("/", "-")
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"{value}\n")
        kernel.bind(file, f"/proc/sys/{name}")
    # Volumes that the kubelet mounts must reach the containers, and Bidirectional ones come back.
    kernel.mount("none", "/", flags=kernel.MS_REC | kernel.MS_SHARED)


if __name__ == "__main__":
    of_cluster, of_node = State(sys.argv[1]), int(sys.argv[2])
    own_rooms(of_cluster, of_node)
    (of_cluster.node(of_node) / "rooms-ready").touch()
    os.execvp("sleep", [node_name(of_node), "infinity"])

"""The network inside the cluster: a bridge in the control plane's namespace, a wire to each node, routes to their pods."""

import subprocess

from lab.layout import CONTROL_PLANE_ADDRESS, NODES, Failure, node_address, node_name, pod_range

BRIDGE = "lan0"


def inside(pid: int, *words: object) -> None:
    """Runs a command in the network namespace of a process, the machine's files around it."""
    done = subprocess.run(["nsenter", f"--net=/proc/{pid}/ns/net", *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, words))}: {done.stderr.strip()}")


def connect(control_plane: int, nodes: dict[int, int]) -> None:
    """Takes pids, as seen here: of the control plane's namespace, and of each node's by its number."""
    inside(control_plane, "ip", "link", "set", "lo", "up")
    inside(control_plane, "ip", "link", "add", BRIDGE, "type", "bridge")
    inside(control_plane, "ip", "address", "add", f"{CONTROL_PLANE_ADDRESS}/24", "dev", BRIDGE)
    inside(control_plane, "ip", "link", "set", BRIDGE, "up")
    for number, pid in nodes.items():
        wire(control_plane, pid, number)
    for number in nodes:
        route_pods(control_plane, number)


def wire(control_plane: int, node: int, number: int) -> None:
    inside(control_plane, "ip", "link", "add", node_name(number), "master", BRIDGE, "up",
           "type", "veth", "peer", "name", "eth0", "netns", node)
    inside(node, "ip", "link", "set", "lo", "up")
    inside(node, "ip", "address", "add", f"{node_address(number)}/24", "dev", "eth0")
    inside(node, "ip", "link", "set", "eth0", "up")
    # Service addresses need some route before the rules of kube-proxy see them.
    inside(node, "ip", "route", "add", "default", "via", CONTROL_PLANE_ADDRESS)
    inside(node, "sh", "-c", "echo 1 >/proc/sys/net/ipv4/ip_forward")
    for other in NODES:
        if other != number:
            route_pods(node, other)


def route_pods(pid: int, number: int) -> None:
    inside(pid, "ip", "route", "add", pod_range(number), "via", node_address(number))

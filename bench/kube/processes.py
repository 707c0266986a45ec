"""How much processor time each daemon of the cluster has had, as far as this process shares its network namespace with it."""

import os
import pathlib
import time

TICK = os.sysconf("SC_CLK_TCK")
DAEMONS = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok", "warpshare-scheduler")


def running() -> dict[str, pathlib.Path]:
    mine = os.readlink("/proc/self/ns/net")
    found = {}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            name = pathlib.PurePath((process / "cmdline").read_bytes().split(b"\0")[0].decode()).name
            if name in DAEMONS and os.readlink(process / "ns/net") == mine:
                found[name] = process
        except OSError:
            continue
    return found


def number(process: pathlib.Path) -> int:
    return int(process.name)


def seconds(process: pathlib.Path) -> float:
    fields = (process / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def all_seconds() -> dict[str, float]:
    return {name: seconds(process) for name, process in running().items()}


def wait_idle(patience: float = 10) -> None:
    """Until together they want less than a fifth of a processor, or for as long as that takes at most."""
    before, deadline = sum(all_seconds().values()), time.monotonic() + patience
    while time.monotonic() < deadline:
        time.sleep(1)
        now = sum(all_seconds().values())
        if now - before < 0.2:
            return
        before = now

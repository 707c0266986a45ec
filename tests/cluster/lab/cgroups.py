"""The cluster's place in every cgroup hierarchy: CLUSTER/system for its daemons, CLUSTER/node-N for the pods of a node."""

import os
import pathlib
import signal
import time

from lab.layout import NODES, Failure, State, node_name

# The kubelet does without the others.
NEEDED = {"cpu", "cpuset", "memory", "pids"}


def hierarchies() -> list[pathlib.Path]:
    found = []
    for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines():
        left, right = line.split(" - ", 1)
        if right.split()[0] in ("cgroup", "cgroup2"):
            found.append(pathlib.Path(left.split()[4]))
    return found


def make(state: State) -> None:
    for top in hierarchies():
        _hand_down(top, state)
        own = top / state.cgroup
        for folder in (own, own / "system", *(own / node_name(number) for number in NODES)):
            folder.mkdir(exist_ok=True)
            _inherit_cpuset(folder)
        _hand_down(own, state)


def _inherit_cpuset(folder: pathlib.Path) -> None:
    """In cgroup v1 a new cpuset holds nothing, and takes no process, until its CPUs and memory nodes are written."""
    for name in ("cpuset.cpus", "cpuset.mems"):
        own, parent = folder / name, folder.parent / name
        if own.exists() and parent.exists() and not own.read_text().strip() and parent.read_text().strip():
            own.write_text(parent.read_text())


def _hand_down(folder: pathlib.Path, state: State) -> None:
    """In cgroup v2 children have the controllers that their parent hands down; the kubelet hands on from its node's."""
    control = folder / "cgroup.subtree_control"
    if not control.exists():
        return
    for controller in sorted(set((folder / "cgroup.controllers").read_text().split()) - set(control.read_text().split())):
        with state.handed_down.open("a") as notes:
            notes.write(f"{control} {controller}\n")
        try:
            control.write_text(f"+{controller}")
        except OSError as error:
            if controller in NEEDED:
                raise Failure(f"{control} takes no {controller}: {error.strerror}; in a container, start it with the host's "
                              "cgroup namespace (--cgroupns=host)") from None


def _take_back(state: State) -> None:
    """What this machine's own cgroups did not hand down before; one that somebody uses by now stays."""
    for line in state.handed_down.read_text().splitlines() if state.handed_down.exists() else ():
        control, controller = line.split()
        try:
            pathlib.Path(control).write_text(f"-{controller}")
        except OSError:
            pass


def enter(state: State) -> None:
    """Moves the calling process; its children follow. Also takes it out of whatever froze or limited the caller."""
    for top in hierarchies():
        (top / state.cgroup / "system/cgroup.procs").write_text(str(os.getpid()))


def existing(state: State) -> list[pathlib.Path]:
    return [top / state.cgroup for top in hierarchies() if (top / state.cgroup).is_dir()]


def members(folder: pathlib.Path) -> set[int]:
    found = set()
    for path in folder.rglob("cgroup.procs"):
        try:
            found.update(int(line) for line in path.read_text().split())
        except OSError:
            pass  # Gone, or a threaded cgroup, whose processes its parent lists.
    return found - {0}


def kill_members(state: State) -> None:
    for folder in existing(state):
        for pid in members(folder):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def remove(state: State, patience: float = 20) -> None:
    """A cgroup goes only when its last process has been reaped, which may take a moment after the kill."""
    deadline = time.monotonic() + patience
    while (left := existing(state)) and time.monotonic() < deadline:
        for top in left:
            for folder in [path for path, _, _ in os.walk(top, topdown=False)]:
                try:
                    os.rmdir(folder)
                except OSError:
                    pass
        kill_members(state)
        time.sleep(0.05)
    _take_back(state)

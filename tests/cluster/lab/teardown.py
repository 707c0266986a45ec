"""Ending a cluster from whatever state it is in, and saying what is left of it."""

import fcntl
import os
import pathlib
import shutil
import signal
import time

from lab import cgroups, daemons, kernel
from lab.layout import Failure, State


def locked(state: State, patience: float) -> int:
    """A lock on the cluster's folder, held while it is made or ended; the kernel drops it with its holder."""
    deadline = time.monotonic() + patience
    while True:
        folder = os.open(state.folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return folder
        except BlockingIOError:
            os.close(folder)
        if time.monotonic() > deadline:
            raise Failure(f"another command is making or ending the cluster of {state.folder}; wait for it, or end it first")
        time.sleep(0.1)


def down(state: State) -> None:
    if state.folder.is_dir():
        if any(state.folder.iterdir()) and not state.mark.exists():
            raise Failure(f"{state.folder} holds something else than a cluster (no {state.mark.name} in it); nothing is removed")
        lock = locked(state, patience=15)
        end_processes(state)
        cgroups.kill_members(state)
        cgroups.remove(state)
        remove_made_folders(state)
        # Only now: until here another `down` could go on from what the folder says.
        shutil.rmtree(state.folder)
        os.close(lock)
    left = leftovers(state)
    if left:
        raise Failure("left behind:\n  " + "\n  ".join(left))


def end_processes(state: State) -> None:
    """Kills the first process of the namespace; the kernel ends the others, and with them their namespaces and mounts."""
    found = daemons.supervisor(state)
    if found is None:
        return
    try:
        os.kill(found.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    daemons.wait_for("the end of the cluster's processes", lambda: not kernel.processes_of_namespace(found.pid_namespace), 60)


def remove_made_folders(state: State) -> None:
    """Empty ones only: what anybody else has put there since is theirs. Not while another cluster uses them."""
    if not state.made_folders.exists() or daemons.living_clusters():
        return
    for folder in reversed(state.made_folders.read_text().splitlines()):
        try:
            os.rmdir(folder)
        except OSError:
            pass


def leftovers(state: State) -> list[str]:
    found = [f"folder {state.folder}"] if state.folder.exists() else []
    found += [f"cgroup {folder}" for folder in cgroups.existing(state)]
    mounts = pathlib.Path("/proc/self/mountinfo").read_text().splitlines()
    found += [f"mount {line.split()[4]}" for line in mounts
              if any(pathlib.Path(word).is_relative_to(state.folder) for word in line.split())]
    found += ["a supervisor"] if state.folder in [other.folder for other in daemons.living_clusters()] else []
    return found

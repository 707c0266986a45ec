"""The process that hands out the GPU time of this run's tenants."""
import os
import re
import signal
import time


def _holds(pid, lock):
    folder = f"/proc/{pid}/fd"
    return any(os.readlink(os.path.join(folder, fd)) == lock for fd in os.listdir(folder))


def find(stage):
    """Its pid, or nothing. It is the warpshare-node that has this run's lock open."""
    lock = os.path.join(os.path.realpath(stage.state_folder), "node.lock")
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.path.basename(os.readlink(f"/proc/{pid}/exe")) == "warpshare-node" and _holds(pid, lock):
                return int(pid)
        except OSError:
            pass
    return None


def kill(stage):
    """Whether there was one."""
    pid = find(stage)
    if pid is not None:
        os.kill(pid, signal.SIGKILL)
    return pid is not None


def start(stage):
    """As the next command that needs it would."""
    run = [stage.program("bin", "warpshare"), "run", "--gpu", "0", "--name", "starter", "--policy", "weighted"]
    stage.bare([*run, "--", "true"], timeout=20)


def handover_us(stage):
    """What the card loses when it goes from one tenant to another, as the arbiter's log last said; None: nothing worth a line."""
    try:
        with open(os.path.join(stage.state_folder, "node.log"), encoding="utf-8") as log:
            said = re.findall(r" loses (\d+) us when it goes from one tenant to another", log.read())
    except FileNotFoundError:
        return None
    return int(said[-1]) if said else None


def end(stage, patience=5):
    """Nothing of this run is left running."""
    pid = find(stage)
    if pid is None:
        return
    os.kill(pid, signal.SIGTERM)
    until = time.monotonic() + patience
    while find(stage) == pid:
        if time.monotonic() > until:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)

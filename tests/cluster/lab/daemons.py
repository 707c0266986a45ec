"""Starting and talking to the supervisor, and through it the daemons of the cluster."""

import dataclasses
import json
import os
import pathlib
import signal
import socket
import sys
import time
from typing import Callable, Mapping, Sequence

from lab import kernel
from lab.layout import FOLDER, Failure, State

SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclasses.dataclass(frozen=True)
class Supervisor:
    """The living first process of the cluster, its pid as seen from outside."""

    pid: int
    pid_namespace: str


def supervisor(state: State) -> Supervisor | None:
    try:
        record = json.loads(state.supervisor_record.read_text())
    except FileNotFoundError:
        return None
    if kernel.start_time(record["pid"]) != record["start_time"]:
        return None
    return Supervisor(record["pid"], record["pid_namespace"])


def living_clusters() -> list[State]:
    """All that run on this machine, by what their supervisors were called with."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_text().split("\0")
        except OSError:
            continue
        if "lab.supervisor" in words:
            found.append(State(words[words.index("lab.supervisor") + 1]))
    return found


def running_supervisor(state: State) -> Supervisor:
    found = supervisor(state)
    if found is None:
        raise Failure("no cluster runs here; start one with: tools/dev cluster up")
    return found


def start_supervisor(state: State, lock: int) -> None:
    """It is nobody's child here: it outlives this process, killed or not."""
    between = os.fork()
    if between == 0:
        try:
            kernel.unshare(kernel.CLONE_NEWPID)
            if os.fork() != 0:
                os._exit(0)
            _become_supervisor(state, lock)
        except OSError as error:
            print(f"tools/dev cluster: {error}", file=sys.stderr)
        os._exit(1)
    if os.waitpid(between, 0)[1] != 0:
        raise Failure("a pid namespace cannot be made here; this needs CAP_SYS_ADMIN")
    wait_for("the supervisor", lambda: state.supervisor_socket.exists() and supervisor(state) is not None, 20,
             state.log("supervisor"))


def _become_supervisor(state: State, lock: int) -> None:
    output = os.open(state.log("supervisor"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.set_inheritable(lock, True)
    # What the caller's shell had open, such as a lock or a pipe, is not the cluster's to keep.
    os.closerange(3, lock)
    os.closerange(lock + 1, os.sysconf("SC_OPEN_MAX"))
    environment = {"PATH": SYSTEM_PATH, "PYTHONPATH": str(FOLDER), "PYTHONDONTWRITEBYTECODE": "1"}
    os.chdir("/")
    os.execve(sys.executable, [sys.executable, "-m", "lab.supervisor", str(state.folder), str(lock)], environment)


def ask(state: State, operation: str, **what: object) -> dict:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(30)
        connection.connect(str(state.supervisor_socket))
        with connection.makefile("rw") as stream:
            stream.write(json.dumps({"operation": operation, **what}) + "\n")
            stream.flush()
            reply = json.loads(stream.readline() or '{"error": "the supervisor gave no answer"}')
    if "error" in reply:
        raise Failure(reply["error"])
    return reply


def start(state: State, name: str, argv: Sequence[object], environment: Mapping[str, str] = {}) -> int:
    """Returns the pid inside the cluster's pid namespace."""
    full = {"PATH": SYSTEM_PATH, "HOME": "/", **environment}
    return ask(state, "start", name=name, argv=[str(word) for word in argv], environment=full,
               log=str(state.log(name)))["pid"]


def children(state: State) -> dict[str, dict]:
    """name -> {"pid": inside, "status": None while it runs}"""
    return ask(state, "listed")["children"]


def runs(state: State, name: str) -> bool:
    child = children(state).get(name)
    return child is not None and child["status"] is None


def stop(state: State, name: str, patience: float = 20) -> None:
    """Asks; insists when it takes too long."""
    for number, seconds in ((signal.SIGTERM, patience), (signal.SIGKILL, 10)):
        if not runs(state, name):
            return
        ask(state, "signal", name=name, number=int(number))
        deadline = time.monotonic() + seconds
        while runs(state, name) and time.monotonic() < deadline:
            time.sleep(0.05)


def kill(state: State, name: str) -> None:
    ask(state, "signal", name=name, number=int(signal.SIGKILL))
    wait_for(f"the end of {name}", lambda: not runs(state, name), 10)


def tail(log: pathlib.Path | None, lines: int = 15) -> str:
    if log is None or not log.exists():
        return ""
    return f"\nthe end of {log}:\n" + "\n".join(log.read_text(errors="replace").splitlines()[-lines:])


def wait_for(what: str, is_there: Callable[[], bool], seconds: float, log: pathlib.Path | None = None) -> None:
    deadline = time.monotonic() + seconds
    while not is_there():
        if time.monotonic() > deadline:
            raise Failure(f"{what} did not come within {seconds:.0f} s{tail(log)}")
        time.sleep(0.1)


def wait_for_daemon(state: State, name: str, is_ready: Callable[[], bool], seconds: float = 60) -> None:
    """As wait_for, but ends at once when the daemon does."""
    def checked() -> bool:
        if not runs(state, name):
            raise Failure(f"{name} ended with status {children(state)[name]['status']}{tail(state.log(name))}")
        return is_ready()
    wait_for(name, checked, seconds, state.log(name))

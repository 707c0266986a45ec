"""The first process of the cluster's pid namespace and the parent of its daemons: `python3 -m lab.supervisor STATE LOCK_FD`.

The kernel ends everything in the namespace when this process is killed, so a cluster ends entirely, however it came to be
half made. Its own network namespace is the control plane's. Requests come one a connection on STATE/supervisor.sock.
"""

import json
import os
import signal
import socket
import sys

from lab import cgroups, kernel
from lab.layout import State

# How long a dead child may wait to be noticed, in seconds.
REAP_EVERY = 0.1


def write_record(state: State) -> None:
    pid = int(os.readlink("/proc/self"))  # /proc is still the outer one: the pid `down` will see
    record = {"pid": pid, "start_time": kernel.start_time(pid), "pid_namespace": os.readlink(f"/proc/{pid}/ns/pid")}
    written = state.supervisor_record.with_suffix(".new")
    written.write_text(json.dumps(record))
    written.rename(state.supervisor_record)


def enter_namespaces(state: State) -> None:
    kernel.unshare(kernel.CLONE_NEWNS | kernel.CLONE_NEWNET)
    kernel.mount("none", "/", flags=kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("proc", "/proc", "proc")
    # Unprivileged daemons may not be let into the home that holds the programs.
    kernel.bind(state.built.resolve(), str(state.programs))


class Children:
    """By name: the pid in the cluster's namespace, and the exit status once there is one."""

    def __init__(self):
        self._known: dict[str, dict] = {}

    def start(self, name: str, argv: list[str], environment: dict[str, str], log: str) -> dict:
        if name in self._known and self._known[name]["status"] is None:
            return {"error": f"{name} already runs"}
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            files = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
                     (os.POSIX_SPAWN_DUP2, output, 1), (os.POSIX_SPAWN_DUP2, output, 2)]
            pid = os.posix_spawnp(argv[0], argv, environment, file_actions=files, setsid=True,
                                  setsigdef=[signal.SIGPIPE])  # Python ignores it, and ignoring is inherited
        except OSError as error:
            return {"error": f"{name}: {argv[0]}: {error.strerror}"}
        finally:
            os.close(output)
        self._known[name] = {"pid": pid, "status": None}
        return self._known[name]

    def signal(self, name: str, number: int) -> dict:
        child = self._known.get(name)
        if child is None or child["status"] is not None:
            return {"error": f"{name} does not run"}
        os.kill(child["pid"], number)
        return child

    def listed(self) -> dict:
        return {"children": self._known}

    def reap(self) -> None:
        """Collects children, and the orphans of daemons that have ended: shims, and what was in containers."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            for child in self._known.values():
                if child["pid"] == pid:
                    child["status"] = os.waitstatus_to_exitcode(status)


def answer(children: Children, request: dict) -> dict:
    operation = request.pop("operation", "")
    if operation in ("start", "signal", "listed"):
        return getattr(children, operation)(**request)
    return {"error": f"unknown operation {operation!r}"}


def serve(listener: socket.socket) -> None:
    children = Children()
    listener.settimeout(REAP_EVERY)
    while True:
        children.reap()
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            continue
        with connection, connection.makefile("rw") as stream:
            try:
                reply = answer(children, json.loads(stream.readline()))
                stream.write(json.dumps(reply) + "\n")
            except (OSError, ValueError, TypeError) as error:
                print(f"supervisor: {error!r}", flush=True)


def main() -> None:
    state, lock = State(sys.argv[1]), int(sys.argv[2])
    os.setsid()
    cgroups.enter(state)
    write_record(state)
    os.close(lock)  # Until here `down` waits: it now knows whom to end.
    enter_namespaces(state)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(state.supervisor_socket))
    listener.listen(16)
    serve(listener)


if __name__ == "__main__":
    main()

"""The few system calls Python 3.11 lacks, and processes told apart by pid and start time."""

import ctypes
import os
import pathlib

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
MS_BIND, MS_REC = 4096, 16384
MS_PRIVATE, MS_SHARED = 1 << 18, 1 << 20

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")


def unshare(flags: int) -> None:
    _checked(_libc.unshare(flags), "unshare")


def mount(source: str, target: str, kind: str = "none", flags: int = 0, options: str = "") -> None:
    result = _libc.mount(source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), options.encode())
    _checked(result, f"mount {source} on {target}")


def bind(source: pathlib.Path, target: str) -> None:
    mount(str(source), target, flags=MS_BIND | MS_REC)


def set_host_name(name: str) -> None:
    _checked(_libc.sethostname(name.encode(), len(name)), "sethostname")


def start_time(pid: int) -> int | None:
    """In clock ticks since boot; with the pid it names one process for ever. None when there is none (or a zombie)."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" else int(fields[19])


def pid_namespace(pid: int) -> str | None:
    try:
        return os.readlink(f"/proc/{pid}/ns/pid")
    except OSError:
        return None


def processes_of_namespace(namespace: str) -> list[int]:
    numbers = (int(name) for name in os.listdir("/proc") if name.isdigit())
    return [pid for pid in numbers if pid_namespace(pid) == namespace]


def outer_pid(inner: int, namespace: str) -> int | None:
    """The pid as seen here of the process that is `inner` in a pid namespace below ours."""
    for pid in processes_of_namespace(namespace):
        try:
            status = pathlib.Path(f"/proc/{pid}/status").read_text()
        except OSError:
            continue
        line = next((line for line in status.splitlines() if line.startswith("NSpid:")), "")
        if line.split()[-1:] == [str(inner)]:
            return pid
    return None

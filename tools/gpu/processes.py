"""Runs programs so that none of them can hang or crash the checks."""
import dataclasses
import os
import signal
import subprocess
import tempfile
import time

MOST_BYTES = 4 << 20  # of an output
MOST_OF_A_LINE = 1000  # characters of it that are told


@dataclasses.dataclass
class Ran:
    command: list
    exit: int  # below 0: the signal that ended it
    timed_out: bool
    seconds: float
    stdout: str
    stderr: str
    trace: str = ""  # of the interposer

    def details(self, lines=25):
        """What somebody needs who was not there."""
        told = {"command": " ".join(self.command), "exit": self.exit, "timed_out": self.timed_out,
                "seconds": round(self.seconds, 1)}
        for name in ("stdout", "stderr", "trace"):
            if tail := getattr(self, name).strip().splitlines()[-lines:]:
                told[f"{name}_tail"] = [line[:MOST_OF_A_LINE] for line in tail]
        return told


def _text(file):
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - MOST_BYTES))
    return file.read().decode(errors="replace")


def _kill_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run(command, env=None, timeout=120, cwd=None):
    """A finished Ran; all that it started is dead. What cannot be started has exit code 127."""
    started = time.monotonic()
    # Files, not pipes: a grandchild that lives on must not keep us waiting.
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            process = subprocess.Popen(command, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       start_new_session=True)
        except OSError as error:
            return Ran(command, 127, False, 0.0, "", str(error))
        timed_out = False
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            timed_out = True
        _kill_group(process)
        process.wait()
        return Ran(command, process.returncode, timed_out, time.monotonic() - started, _text(out), _text(err))

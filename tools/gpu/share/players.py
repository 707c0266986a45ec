"""Load programs that are set up, wait for their word, run side by side, and say what they got done."""
import contextlib
import itertools
import os
import signal
import subprocess
import time

from gpu.stage import json_lines

READY_S = 60  # PyTorch's imports and first steps, several at a time
SLACK_S = 20  # that a program may be late at its end
_numbers = itertools.count(1)


def new_name(load):
    return f"{load.name}-{next(_numbers)}"


class Told:
    """What a program said: marks of (time, submissions done by then), bursts, and its end."""

    def __init__(self, output):
        lines = json_lines(output)
        self.end = next((line for line in lines if "done" in line), {})
        self.bursts = [line["latency_ns"] / 1e3 for line in lines if "latency_ns" in line]
        marks = {line["at_ns"]: line["so_far"] for line in lines if line.get("so_far")}
        if self.end:
            marks = {self.end["start_ns"]: 0, **marks, self.end["end_ns"]: self.end["done"]}
        self._marks = sorted(marks.items())

    def done_by(self, at_ns):
        before, after = None, None
        for mark in self._marks:
            if mark[0] <= at_ns:
                before = mark
            else:
                after = mark
                break
        if before is None or after is None:
            return (before or after or (0, 0))[1]
        part = (at_ns - before[0]) / (after[0] - before[0])
        return before[1] + part * (after[1] - before[1])

    def rate(self, from_ns, to_ns):
        """Submissions a second."""
        return (self.done_by(to_ns) - self.done_by(from_ns)) / (to_ns - from_ns) * 1e9

    def window_rates(self, from_ns, to_ns, window_ns, step_ns=20_000_000):
        return [self.rate(at, at + window_ns) for at in range(from_ns, to_ns - window_ns + 1, step_ns)]


class ToldTogether:
    """What the programs of one tenant told, as if they were one."""

    def __init__(self, told):
        self._told = told

    def rate(self, from_ns, to_ns):
        return sum(each.rate(from_ns, to_ns) for each in self._told)

    def window_rates(self, from_ns, to_ns, window_ns):
        return [sum(rates) for rates in zip(*(each.window_rates(from_ns, to_ns, window_ns) for each in self._told))]


class Player:
    """`terms` are words of `warpshare run`; None: bare. `tenant`: its name, to be one of several in a tenant."""

    def __init__(self, stage, load, seconds, terms=None, tenant=None):
        self.load, self.seconds = load, seconds
        self.name = new_name(load)
        self.tenant = tenant or self.name
        command = load.command(stage, seconds)
        if terms is not None:
            run = [stage.program("bin", "warpshare"), "run", "--gpu", "0", "--name", self.tenant]
            command = [*run, *terms, "--", *command]
        self._files = [os.path.join(stage.folder, f"{self.name}.{stream}") for stream in ("out", "err")]
        with open(self._files[0], "wb") as out, open(self._files[1], "wb") as err:
            self._process = subprocess.Popen(command, env=stage.environment({"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}),
                                             stdin=subprocess.PIPE, stdout=out, stderr=err, start_new_session=True)

    def _said(self, file=0):
        with open(self._files[file], encoding="utf-8", errors="replace") as text:
            return text.read()

    def _complain(self, what):
        tail = " | ".join(self._said(1).strip().splitlines()[-3:])
        raise RuntimeError(f"{self.name}: {what} (exit {self._process.poll()}): {tail}")

    def await_ready(self, deadline):
        while '"ready"' not in self._said():
            if self._process.poll() is not None:
                self._complain("it ended before it was ready")
            if time.monotonic() > deadline:
                self._complain("it is not ready")
            time.sleep(0.02)

    def go(self):
        self._process.stdin.write(b"go\n")
        self._process.stdin.close()

    def finish(self, seconds=None):
        """Awaits its end, `seconds` from now (else as long as it runs)."""
        try:
            self._process.wait((self.seconds if seconds is None else seconds) + SLACK_S)
        except subprocess.TimeoutExpired:
            self._complain("it does not end")
        told = Told(self._said())
        if self._process.returncode != 0 or not told.end:
            self._complain("it did not get to its end")
        return told

    def end(self):
        """Whatever it is at."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        with contextlib.suppress(OSError):
            self._process.stdin.close()


@contextlib.contextmanager
def ready(stage, *plans):
    """Players of (load, seconds, terms) and perhaps a tenant's name, all set up; none of them is left at the end."""
    players = []
    try:
        for plan in plans:
            players.append(Player(stage, *plan))
        deadline = time.monotonic() + min(READY_S, stage.seconds_left())
        for player in players:
            player.await_ready(deadline)
        yield players
    finally:
        for player in players:
            player.end()

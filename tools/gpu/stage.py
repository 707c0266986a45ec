"""Where the checks run: the tree, the driver, the limit, and how much time is left."""
import dataclasses
import json
import os
import sys
import tempfile
import time

from gpu import processes
from gpu.build import ROOT

ASKING = os.path.join(os.path.dirname(os.path.realpath(__file__)), "asking")


def say(text):
    print(f"gpu-check: {text}", file=sys.stderr, flush=True)


@dataclasses.dataclass
class Stage:
    tree: str
    memory_gib: int  # limit of the tenants
    simulated: bool
    folder: str  # of this run alone
    deadline: float  # by time.monotonic()
    card: dict = dataclasses.field(default_factory=dict)  # as asking/card.py tells it, bare
    known: dict = dataclasses.field(default_factory=dict)  # what one check measured and others need

    @property
    def limit_bytes(self):
        return self.memory_gib << 30

    def program(self, *parts):
        return os.path.join(self.tree, *parts)

    @property
    def state_folder(self):
        return os.path.join(self.folder, "state")

    def seconds_left(self):
        return self.deadline - time.monotonic()

    def environment(self, more=None):
        env = dict(os.environ, WARPSHARE_STATE_DIR=self.state_folder)
        env.pop("WARPSHARE_LOG", None)
        if self.simulated:
            simulator = self.program("lib", "simgpu")
            env |= {"LD_LIBRARY_PATH": simulator, "WARPSHARE_DRIVER_DIR": simulator,
                    "SIMGPU_WORLD": os.path.join(self.folder, "world")}
        return env | (more or {})

    def bare(self, command, env=None, timeout=90):
        return processes.run(command, self.environment(env), self._allowed(timeout), ROOT)

    def tenant(self, command, env=None, timeout=90, memory_gib=None):
        """As a tenant of the first card; with the interposer's trace."""
        limit = f"{memory_gib or self.memory_gib}GiB"
        full = [self.program("bin", "warpshare"), "run", "--gpu", "0", "--memory", limit, "--", *command]
        with tempfile.NamedTemporaryFile(dir=self.folder, suffix=".trace") as trace:
            ran = processes.run(full, self.environment({"WARPSHARE_LOG": f"{trace.name}:trace"} | (env or {})),
                                self._allowed(timeout), ROOT)
            with open(trace.name, encoding="utf-8", errors="replace") as lines:
                ran.trace = lines.read()[-processes.MOST_BYTES:]
        return ran

    def asking(self, program):
        """The command that runs a program of asking/."""
        return [sys.executable, "-B", os.path.join(ASKING, program)]

    def _allowed(self, timeout):
        return max(5, min(timeout, self.seconds_left()))


def json_lines(text):
    """The JSON objects among the lines; what is no JSON is somebody's chatter."""
    found = []
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                found.append(json.loads(line))
            except ValueError:
                pass
    return found


def verdict(ran, wrong=(), **figures):
    """The result of a check: figures, and of a failure all that is known."""
    wrong = list(wrong)
    if ran.timed_out:
        wrong.insert(0, "it ran out of time")
    elif ran.exit != 0:
        wrong.insert(0, f"it ended with {ran.exit}")
    if not wrong:
        return {"status": "passed", **figures}
    return {"status": "failed", "wrong": wrong, **figures, **ran.details()}

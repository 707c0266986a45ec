"""The loads: what tenants run. Each keeps the card busy and says how far it is (bench/share/load, tests/torch/train.py)."""
import dataclasses
import importlib.util
import os
import sys

from gpu.build import ROOT
from gpu.stage import json_lines

TICKS = ["--ticks", "20ms", "--start", "stdin"]


@dataclasses.dataclass(frozen=True)
class Load:
    name: str
    work: str  # of share_load's kernels; "torch": a training step
    words: tuple = ()
    lasts_as: "Load | None" = None  # the same kernels, and the card is not idle between them

    def why_not(self, stage):
        """The reason why it cannot run here, or nothing."""
        if "kernel-wait" in self.words and stage.simulated:
            return "simulated kernels do not wait for each other"
        if self.work != "torch":
            return None
        if stage.simulated:
            return "PyTorch needs a real card"
        return None if importlib.util.find_spec("torch") else "no PyTorch here"

    def command(self, stage, seconds):
        """It waits for a line on standard input, then runs for so long."""
        if self.work == "torch":
            return [sys.executable, "-B", os.path.join(ROOT, "tests", "torch", "train.py"), str(seconds)]
        return [stage.program("bin", "share_load"), "--work", self.work, *self.words, *speed(stage, self.work), *TICKS,
                "--seconds", str(seconds)]


# A few ms in flight: a program that wakes up late still has work on the card, and no share hangs on what it left behind.
COMPUTE = Load("compute", "compute", ("--kernel", "200us", "--depth", "16"))
COMPUTE_2MS = Load("compute_2ms", "compute", ("--kernel", "2ms", "--depth", "8"))
VARYING = Load("varying", "compute", ("--kernel", "20us..2ms", "--depth", "16"))
WAITING = Load("waiting", "compute", ("--mode", "sync", "--kernel", "200us"), lasts_as=COMPUTE)
GEMM = Load("gemm", "gemm", ("--kernel", "200us", "--depth", "16"))
MEMORY = Load("memory", "memory", ("--kernel", "200us", "--depth", "16"))
TINY = Load("tiny", "spin", ("--kernel", "5us", "--depth", "256"))
GRAPH = Load("graph", "spin", ("--mode", "graph", "--kernel", "5us", "--graph-nodes", "20", "--depth", "16"))
# Busy for a third of the time: the program's own work is what it is slow by.
GAPS = Load("gaps", "spin", ("--mode", "gaps", "--kernel", "20us", "--gap", "40us", "--depth", "100"))
TORCH = Load("torch", "torch")
SPIN = Load("kernel_wait", "spin", ("--mode", "kernel-wait", "--kernel", "200us", "--depth", "2", "--streams", "2"))
BURSTS = Load("bursts", "compute", ("--mode", "burst", "--kernel", "200us", "--burst", "2ms", "--period", "20ms"))


def calibrate(stage, work):
    """Rounds a microsecond of a kind of kernel on this card, measured once."""
    known = stage.known.setdefault("rounds_per_us", {})
    if work not in known:
        ran = stage.bare([stage.program("bin", "share_load"), "--mode", "calibrate", "--work", work], timeout=30)
        told = json_lines(ran.stdout)
        if not told or told[-1]["loops_per_us"] <= 0:
            raise RuntimeError(f"{work} cannot be calibrated: {ran.details()}")
        known[work] = told[-1]["loops_per_us"]
    return known[work]


def speed(stage, work):
    """A simulated card goes by the kernel's name."""
    return [] if stage.simulated else ["--loops-per-us", str(calibrate(stage, work))]

"""PyTorch under a limit, with each of its allocators (tests/torch)."""
import importlib.util
import os
import sys

from gpu.build import ROOT
from gpu.stage import json_lines, verdict

MULTIPLY = """
import json, torch
a = torch.ones(256, 256, device="cuda")
good = bool(((a @ a) == 256).all())
print(json.dumps({"torch": torch.__version__, "cuda": torch.version.cuda, "good": good}))
"""


def _why_not(stage):
    if stage.simulated:
        return "PyTorch needs a real card"
    return None if importlib.util.find_spec("torch") else "no PyTorch here"


def bare(stage):
    """Whether PyTorch works on this machine at all."""
    if reason := _why_not(stage):
        return {"status": "skipped", "wrong": [reason]}
    ran = stage.bare([sys.executable, "-c", MULTIPLY])
    measured = (json_lines(ran.stdout) or [{}])[-1]
    return verdict(ran, [] if measured.get("good") else ["it does not multiply"], measured=measured)


def _program(stage, name, env=None):
    if reason := _why_not(stage):
        return {"status": "skipped", "wrong": [reason]}
    script = os.path.join(ROOT, "tests", "torch", name)
    ran = stage.tenant([sys.executable, script, str(stage.memory_gib)], env=env)
    return verdict(ran, measured=(json_lines(ran.stdout) or [{}])[-1])


def default_allocator(stage):
    return _program(stage, "fill.py")


def expandable_segments(stage):
    return _program(stage, "fill.py", {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"})


def cuda_malloc_async(stage):
    return _program(stage, "fill.py", {"PYTORCH_CUDA_ALLOC_CONF": "backend:cudaMallocAsync"})


def cuda_graphs(stage):
    return _program(stage, "graphs.py")


MOST_UNCHARGED = 32 << 20  # what the driver may round up: 2 MiB for each segment of PyTorch's allocator


def late_kernels(stage):
    """Whether the code of kernels that are loaded at their first launch is charged."""
    if reason := _why_not(stage):
        return {"status": "skipped", "wrong": [reason]}
    script = os.path.join(ROOT, "tests", "torch", "kernels.py")
    ran = stage.tenant([sys.executable, script, stage.environment().get("LD_LIBRARY_PATH", "")])
    measured = (json_lines(ran.stdout) or [{}])[-1]
    if ran.exit != 0:
        return verdict(ran, measured=measured)
    if any(moment["driver"] is None for moment in measured.values()):
        return {"status": "skipped", "wrong": ["the driver does not tell what a process has"],
                "measured": measured}
    grown = {who: measured["after"][who] - measured["before"][who] for who in ("driver", "charged")}
    measured["uncharged_bytes"] = grown["driver"] - grown["charged"]
    wrong = [] if abs(measured["uncharged_bytes"]) <= MOST_UNCHARGED else [f"the card gave {grown}"]
    return verdict(ran, wrong, measured=measured)

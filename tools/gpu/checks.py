"""The checks. Each takes (build folder, limit in GiB) and returns {status, ...}; status is passed,
failed or skipped, and a skipped one says why."""
import importlib.util
import json
import os
import shutil
import subprocess
import sys

from gpu import tenant
from gpu.build import ROOT

MIB = 1 << 20


def guarded(check, tree, memory):
    """A check that breaks has failed; the others still run."""
    try:
        result = check(tree, memory)
    except (subprocess.TimeoutExpired, OSError, ValueError, KeyError) as error:
        result = {"status": "failed", "detail": f"{type(error).__name__}: {error}"}
    return {"name": check.__name__, **result}


def _verdict(process, **more):
    status = "passed" if process.returncode == 0 else "failed"
    return {"status": status, "exit": process.returncode, "detail": tenant.tail(process), **more}


def _patterns(tree, memory, *options):
    process = tenant.run(tree, [os.path.join(tree, "tests", "bin", "tenant_patterns"), *options], memory)
    lines = [json.loads(line) for line in process.stdout.splitlines() if line.startswith("{")]
    return _verdict(process, patterns=lines)


def patterns_bare(tree, _memory):
    return _patterns(tree, None)


def patterns_limited(tree, memory):
    return _patterns(tree, f"{memory}GiB", "--limited")


def patterns_as_second_tenant(tree, memory):
    return _patterns(tree, f"{2 * memory}GiB", "--limited")


def nvidia_smi_shows_the_limit(tree, memory):
    if shutil.which("nvidia-smi") is None:
        return {"status": "skipped", "detail": "no nvidia-smi here"}
    query = ["nvidia-smi", "--query-gpu=memory.total,uuid,name", "--format=csv,noheader,nounits"]
    process = tenant.run(tree, query, f"{memory}GiB")
    rows = [row for row in process.stdout.splitlines() if row.strip()]
    shown = int(rows[0].split(",")[0]) if rows else -1
    good = process.returncode == 0 and len(rows) == 1 and shown == memory * 1024
    return {"status": "passed" if good else "failed", "shown_mib": shown, "rows": len(rows),
            "detail": tenant.tail(process)}


def nvidia_smi_table_prints(tree, memory):
    if shutil.which("nvidia-smi") is None:
        return {"status": "skipped", "detail": "no nvidia-smi here"}
    return _verdict(tenant.run(tree, ["nvidia-smi"], f"{memory}GiB"))


def _torch(tree, memory, program, env=None):
    if importlib.util.find_spec("torch") is None:
        return {"status": "skipped", "detail": "no PyTorch here"}
    script = os.path.join(ROOT, "tests", "torch", program)
    process = tenant.run(tree, [sys.executable, script, str(memory)], f"{memory}GiB", env=env)
    found = [json.loads(line) for line in process.stdout.splitlines() if line.startswith("{")]
    return _verdict(process, measured=found[-1] if found else {})


def torch_default_allocator(tree, memory):
    return _torch(tree, memory, "fill.py")


def torch_expandable_segments(tree, memory):
    return _torch(tree, memory, "fill.py", {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"})


def torch_cuda_malloc_async(tree, memory):
    return _torch(tree, memory, "fill.py", {"PYTORCH_CUDA_ALLOC_CONF": "backend:cudaMallocAsync"})


def torch_cuda_graphs(tree, memory):
    return _torch(tree, memory, "graphs.py")


def bench_per_call(tree, _memory):
    """The interposer's cost per call on the real driver; the figures are the result."""
    program = os.path.join(tree, "tests", "bin", "call_cost")
    process = tenant.run(tree, [sys.executable, os.path.join(ROOT, "bench", "interposer", "run"),
                                "--tree", tree, "--program", program, "--real"])
    lines = [json.loads(line) for line in process.stdout.splitlines() if line.startswith("{")]
    return _verdict(process, results=lines)


ALL = [patterns_bare, patterns_limited, patterns_as_second_tenant, nvidia_smi_shows_the_limit,
       nvidia_smi_table_prints, torch_default_allocator, torch_expandable_segments,
       torch_cuda_malloc_async, torch_cuda_graphs, bench_per_call]

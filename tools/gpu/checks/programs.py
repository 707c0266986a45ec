"""Programs that are not ours, and two tenants beside each other."""
import os
import shutil

from gpu import processes
from gpu.build import ROOT
from gpu.stage import json_lines, verdict

QUERIES = {
    "table": [],
    "list": ["-L"],
    "details": ["-q"],
    "memory": ["--query-gpu=memory.total,memory.used,uuid,name", "--format=csv,noheader,nounits"],
    "processes": ["--query-compute-apps=pid,used_memory", "--format=csv,noheader"],
}


def _skipped(why):
    return {"status": "skipped", "wrong": [why]}


def _smi_wrong(stage, query, output):
    """What a tenant alone on a card with its limit must be shown."""
    rows = [row for row in output.splitlines() if row.strip()]
    limit_mib = stage.memory_gib * 1024
    if query == "table" and f"{limit_mib}MiB" not in output:
        return f"the table does not show {limit_mib}MiB"
    if query == "list" and len(rows) != 1:
        return f"it lists {len(rows)} cards"
    if query == "memory" and (len(rows) != 1 or rows[0].split(",")[0].strip() != str(limit_mib)):
        return f"it shows {rows}"
    if query == "processes" and any(row[0].isdigit() for row in rows):
        return f"it shows processes of others: {rows}"
    return None


def nvidia_smi(stage):
    program = stage.program("bin", "simgpu-smi") if stage.simulated else shutil.which("nvidia-smi")
    if program is None:
        return _skipped("no nvidia-smi here")
    wrong, told, last = [], {}, None
    for query, words in QUERIES.items():
        bare, last = stage.bare([program, *words], timeout=30), stage.tenant([program, *words], timeout=30)
        told[query] = {"bare_exit": bare.exit, "exit": last.exit, "output": last.stdout.splitlines()[:40]}
        problem = _smi_wrong(stage, query, last.stdout)
        if last.exit != 0 and bare.exit == 0:
            problem = f"it ended with {last.exit}"
            told[query] |= last.details()
        if problem and bare.exit == 0:
            wrong.append(f"{query}: {problem}")
    if not wrong:
        return {"status": "passed", "queries": told}
    return {"status": "failed", "wrong": wrong, "queries": told, **last.details()}


def two_tenants(stage):
    """The demo: each reaches its own limit to the byte, and the other is not touched."""
    words = ["--sim"] if stage.simulated else []
    env = dict(os.environ, WARPSHARE_BUILD=stage.tree)
    ran = processes.run([os.path.join(ROOT, "tools", "demo"), *words], env, 90, ROOT)
    wrong = [line.strip() for line in ran.stdout.splitlines() if line.startswith("  WRONG")]
    return verdict(ran, wrong, output=ran.stdout.splitlines()[-25:])


def cuda_runtime(stage):
    """A program of nvcc, with the CUDA runtime inside and beside it."""
    if stage.simulated:
        return _skipped("the CUDA runtime needs a real driver")
    compiler = shutil.which("nvcc")
    if compiler is None:
        return _skipped("no nvcc here")
    wrong, figures, ran = [], {}, None
    for linkage in ("static", "shared"):
        program = os.path.join(stage.folder, f"runtime_{linkage}")
        source = os.path.join(ROOT, "tests", "runtime", "fill.cu")
        ran = processes.run([compiler, "-std=c++17", "-cudart", linkage, "-o", program, source], timeout=120)
        if ran.exit != 0:
            return verdict(ran, [f"nvcc cannot build it ({linkage})"])
        ran = stage.tenant([program, str(stage.limit_bytes)])
        figures[linkage] = (json_lines(ran.stdout) or [{}])[-1]
        if ran.exit != 0:
            wrong.append(f"{linkage}: {ran.stderr.strip()[-200:]}")
            break
    return verdict(ran, wrong, measured=figures)

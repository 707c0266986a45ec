"""The lean build: a compiler, CMake, Ninja and header-only libraries."""
import os
import time

from gpu import processes

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
BROUGHT_HEADERS = os.path.join(ROOT, ".headers")
TIMEOUT_S = 420


def _headers():
    brought = BROUGHT_HEADERS if os.path.isdir(BROUGHT_HEADERS) else ""
    return os.environ.get("WARPSHARE_HEADERS") or brought


def lean_tree(tree, simulated):
    """Builds into `tree`. A report: status, seconds and, if it failed, why."""
    started = time.monotonic()
    targets = ["gpu_check_programs"] + (["products"] if simulated else [])
    commands = [
        ["cmake", "-S", ROOT, "-B", tree, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DWARPSHARE_LEAN=ON",
         "-DWARPSHARE_TESTS=OFF", "-DWARPSHARE_WERROR=OFF", f"-DWARPSHARE_HEADERS={_headers()}"],
        ["cmake", "--build", tree, "--target", *targets],
    ]
    report = {"status": "passed"}
    for command in commands:
        ran = processes.run(command, timeout=TIMEOUT_S)
        if ran.exit != 0:
            report = {"status": "failed", **ran.details(lines=30)}
            break
    return report | {"headers": _headers() or "of the system", "seconds": round(time.monotonic() - started, 1)}

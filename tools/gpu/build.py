"""The lean build: a compiler, CMake, Ninja and header-only libraries."""
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
BROUGHT_HEADERS = os.path.join(ROOT, ".headers")


def _run(*command):
    print("+ " + " ".join(command), file=sys.stderr, flush=True)
    subprocess.run(command, check=True, cwd=ROOT, stdout=sys.stderr)


def products():
    """(build folder, seconds it took)."""
    started = time.monotonic()
    tree = os.path.join(ROOT, "build", "gpu")
    headers = os.environ.get("WARPSHARE_HEADERS") or (
        BROUGHT_HEADERS if os.path.isdir(BROUGHT_HEADERS) else "")
    _run("cmake", "-S", ROOT, "-B", tree, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
         "-DWARPSHARE_LEAN=ON", "-DWARPSHARE_TESTS=OFF", f"-DWARPSHARE_HEADERS={headers}")
    _run("cmake", "--build", tree, "--target", "products", "gpu_check_programs")
    return tree, round(time.monotonic() - started, 1)

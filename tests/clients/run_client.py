#!/usr/bin/env python3
"""Runs the tests of one client in a simulated machine of their own.

usage: run_client.py BUILD_FOLDER CLIENT bare|limited
bare: on the simulated driver. limited: as a tenant that is held to half of one card.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import client_venv

CARD_BYTES = 4 << 30
LIMIT_BYTES = 2 << 30


def environment(folder: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("SIMGPU_", "WARPSHARE_", "CUDA_", "LD_", "PYTHON"))}
    return kept | {"SIMGPU_WORLD": f"{folder}/world", "SIMGPU_CARDS": "2", "SIMGPU_MEMORY": f"{CARD_BYTES >> 30}GiB",
                   "WARPSHARE_STATE_DIR": f"{folder}/state", "HOME": folder, "TERM": "xterm", "LC_ALL": "C.UTF-8"}


def main(build: pathlib.Path, client: str, mode: str) -> int:
    python = client_venv.python()
    tests = [python, "-B", "-m", "unittest", "-v", f"{client}_client"]
    shared = "/dev/shm" if os.path.isdir("/dev/shm") else None
    folder = tempfile.mkdtemp(prefix="warpshare-client-", dir=shared)
    env = environment(folder)
    if mode == "limited":
        warpshare = build / "bin/warpshare"
        command = [str(warpshare), "run", "--sim", "--gpu", "0", "--memory", f"{LIMIT_BYTES >> 30}GiB", "--", *tests]
        env |= {"CLIENT_CARDS": "1", "CLIENT_CARD_BYTES": str(LIMIT_BYTES)}
    else:
        command = tests
        env |= {"LD_LIBRARY_PATH": str(build / "lib/simgpu"), "CLIENT_CARDS": "2", "CLIENT_CARD_BYTES": str(CARD_BYTES)}
    try:
        return subprocess.run(command, env=env, cwd=pathlib.Path(__file__).parent, check=False).returncode
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[3] not in ("bare", "limited"):
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]))

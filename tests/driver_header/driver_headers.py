"""NVIDIA's driver headers, fetched for the tests alone: they are never part of the tree.

They come as the wheels NVIDIA publishes, are unpacked under $WARPSHARE_CACHE (~/.cache/warpshare), and stay there.
"""

import fcntl
import os
import pathlib
import subprocess
import sys
import zipfile

WHEELS = {"nvidia-cuda-runtime": "13.0.*", "nvidia-nvml-dev": "13.0.*"}
SKIPPED = 77  # what ctest takes for "skipped"

# Headers of other interfaces that NVIDIA's include; preprocessing asks no more of them than to be there.
EMPTY = ("GL/gl.h", "EGL/egl.h", "EGL/eglext.h")


def _cache() -> pathlib.Path:
    default = pathlib.Path.home() / ".cache/warpshare"
    folder = pathlib.Path(os.environ.get("WARPSHARE_CACHE") or default) / "driver-headers-13.0"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _download(folder: pathlib.Path) -> None:
    wanted = [f"{name}=={version}" for name, version in WHEELS.items()]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
               "--timeout", "15", "--retries", "1", "--dest", str(folder), *wanted]
    fetched = subprocess.run(command, capture_output=True, text=True, check=False)
    if fetched.returncode:
        reason = (fetched.stderr.strip() or "pip failed").splitlines()[-1]
        print(f"SKIPPED: NVIDIA's headers are not in {folder} and cannot be fetched: {reason}")
        sys.exit(SKIPPED)


def _unpack(folder: pathlib.Path) -> None:
    include = folder / "include"
    include.mkdir(exist_ok=True)
    for wheel in folder.glob("*.whl"):
        with zipfile.ZipFile(wheel) as packed:
            for name in packed.namelist():
                base = name.rpartition("/")[2]
                if base.endswith(".h") and (base.startswith("cuda") or base == "nvml.h") and name.count("/") == 3:
                    (include / base).write_bytes(packed.read(name))
    for name in EMPTY:
        (include / name).parent.mkdir(exist_ok=True)
        (include / name).touch()


def include_folder() -> pathlib.Path:
    """The folder with cuda.h and nvml.h. Ends the process as skipped when it is neither here nor to be had."""
    folder = _cache()
    with open(folder / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        complete = folder / "complete"
        if not complete.exists():
            _download(folder)
            _unpack(folder)
            complete.touch()
    return folder / "include"

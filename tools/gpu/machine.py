"""The machine that the results are of, as far as they may depend on it."""
import fcntl
import glob
import mmap
import os
import platform
import shutil
import struct
import tempfile

from gpu import processes

F_OFD_SETLK = 37
MADV_WIPEONFORK = 18
TOLD_VARIABLES = ("LD_", "CUDA_", "NVIDIA_", "PYTORCH_", "WARPSHARE_", "SIMGPU_")


def _first_lines(command, count=3):
    if shutil.which(command[0]) is None:
        return None
    ran = processes.run(command, timeout=30)
    return (ran.stdout or ran.stderr).strip().splitlines()[:count]


def _file(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(2000).strip()
    except OSError as error:
        return str(error)


def _has_open_file_locks():
    """The interposer marks its slot by one; not every kernel or sandbox has them."""
    with tempfile.TemporaryFile(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as file:
        try:
            fcntl.fcntl(file, F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0))
            return True
        except OSError as error:
            return str(error)


def _wipes_on_fork():
    with mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as pages:
        try:
            pages.madvise(MADV_WIPEONFORK)
            return True
        except OSError as error:
            return str(error)


def describe():
    return {
        "kernel": " ".join(platform.uname()[i] for i in (0, 2, 3, 4)),
        "libc": " ".join(platform.libc_ver()),
        "processors": os.cpu_count(),
        "user": os.getuid(),
        "python": platform.python_version(),
        "compiler": _first_lines([os.environ.get("CXX", "g++"), "--version"], 1),
        "cmake": _first_lines(["cmake", "--version"], 1),
        "ninja": _first_lines(["ninja", "--version"], 1),
        "nvcc": _first_lines(["nvcc", "--version"], 5),
        "nvidia_smi": _first_lines(["nvidia-smi"], 20),
        "driver_module": _file("/proc/driver/nvidia/version"),
        "device_files": sorted(glob.glob("/dev/nvidia*") + glob.glob("/dev/dxg")),
        "loader_cache": [line.strip() for line in _first_lines(["ldconfig", "-p"], 5000) or []
                         if "libcuda.so" in line or "libnvidia-ml" in line],
        "open_file_locks": _has_open_file_locks(),
        "wipe_on_fork": _wipes_on_fork(),
        "shared_memory_folder": os.path.isdir("/dev/shm") and shutil.disk_usage("/dev/shm")._asdict(),
        "fixed_tenant_folder": os.path.exists("/run/warpshare/tenant"),
        "environment": {name: value for name, value in os.environ.items() if name.startswith(TOLD_VARIABLES)},
    }

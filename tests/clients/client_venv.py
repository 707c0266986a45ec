"""The Python the clients are installed in: made once, under $WARPSHARE_CACHE (~/.cache/warpshare), never in the tree."""

import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

REQUIREMENTS = pathlib.Path(__file__).with_name("requirements.txt")
SKIPPED = 77  # what ctest takes for "skipped"


def _folder() -> pathlib.Path:
    """One for each list of clients and each Python."""
    cache = pathlib.Path(os.environ.get("WARPSHARE_CACHE") or pathlib.Path.home() / ".cache/warpshare")
    key = hashlib.sha256(REQUIREMENTS.read_bytes() + sys.version.encode()).hexdigest()[:12]
    folder = cache / f"clients-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()[-1]
        print(f"SKIPPED: the clients are not installed and cannot be fetched: {reason}")
        sys.exit(SKIPPED)


def python() -> str:
    """That Python's path. Ends the process as skipped when the clients are neither here nor to be had."""
    folder = _folder()
    with open(folder / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            shutil.rmtree(folder / "venv", ignore_errors=True)
            _run(sys.executable, "-m", "venv", str(folder / "venv"))
            _run(str(folder / "venv/bin/python"), "-m", "pip", "install", "--quiet", "--prefer-binary",
                 "--disable-pip-version-check", "--timeout", "15", "--retries", "1", "-r", str(REQUIREMENTS))
            (folder / "complete").touch()
    return str(folder / "venv/bin/python")

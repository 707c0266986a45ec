"""Runs a command bare or as a tenant and keeps what it said."""
import os
import subprocess
import tempfile

TIMEOUT_S = 240


def run(tree, command, memory=None, name=None, env=None):
    """A finished process; with `memory` (as `warpshare run` takes it) under the interposer."""
    full = dict(os.environ, **(env or {}))
    if memory is not None:
        tenant = [os.path.join(tree, "bin", "warpshare"), "run", "--gpu", "0", "--memory", memory]
        command = tenant + (["--name", name] if name else []) + ["--"] + command
    with tempfile.TemporaryDirectory() as state:
        full.setdefault("WARPSHARE_STATE_DIR", state)
        return subprocess.run(command, env=full, text=True, timeout=TIMEOUT_S, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def tail(process, lines=8):
    text = (process.stdout + process.stderr).strip().splitlines()
    return " | ".join(text[-lines:])

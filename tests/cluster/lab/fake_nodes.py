"""Nodes that nobody runs, for scale: node objects made here, kept alive by KWOK, which also starts and ends their pods."""

import json
import pathlib
import subprocess
import sys

from lab import daemons
from lab.control_plane import unprivileged
from lab.kubectl import in_reach
from lab.layout import CONFIG, FOLDER, Failure, State

NAME = "fake-{0:05d}"
LEASE_SECONDS = 200


def start(state: State, count: int, template: str | None = None, lease_seconds: int = LEASE_SECONDS) -> None:
    if not daemons.runs(state, "kwok"):
        start_kwok(state, lease_seconds)
    create(state, count, pathlib.Path(template) if template else CONFIG / "fake-node.json")


def start_kwok(state: State, lease_seconds: int = LEASE_SECONDS) -> None:
    daemons.start(state, "kwok", [
        *unprivileged(), state.programs / "kwok", f"--kubeconfig={state.config}/kwok.kubeconfig",
        f"--config={state.programs}/kwok-stages.yaml", "--manage-all-nodes=false",
        "--manage-nodes-with-label-selector=type=kwok", f"--node-lease-duration-seconds={lease_seconds}",
        "--server-address=127.0.0.1:10247"])


def create(state: State, count: int, template: pathlib.Path) -> None:
    """Runs lab.post_nodes where the API server can be reached."""
    done = subprocess.run([*in_reach(state), sys.executable, "-m", "lab.post_nodes", str(state.folder), str(count),
                           str(template.absolute())], cwd=FOLDER)
    if done.returncode != 0:
        raise Failure(f"not all of the {count} fake nodes could be made")


def node(text: str, number: int) -> dict:
    """The template's @NAME@ and @NUMBER@ filled in."""
    return json.loads(text.replace("@NAME@", NAME.format(number)).replace("@NUMBER@", str(number)))

"""kubectl, in the control plane's network namespace and as the cluster's administrator, or as the user's KUBECONFIG says."""

import json
import os
import pathlib
import shutil
import subprocess

from lab import daemons
from lab.layout import Failure, State


def in_reach(state: State) -> list[str]:
    """The words before a command that make it run where the API server can be reached."""
    return ["nsenter", f"--net=/proc/{daemons.running_supervisor(state).pid}/ns/net"]


def command(state: State) -> list[str]:
    return [*in_reach(state), str(state.built / "kubectl"), f"--kubeconfig={state.admin_kubeconfig}"]


def cache(state: State) -> dict[str, str]:
    """kubectl's memory of the API stays with the cluster: the next one at the same address has another."""
    return {"KUBECACHEDIR": str(state.folder / "kubectl-cache")}


def kubectl(state: State, *words: str, quiet: bool = False, check: bool = True,
            **options) -> subprocess.CompletedProcess:
    if quiet:
        options["capture_output"] = True
    done = subprocess.run([*command(state), *words], env={**os.environ, **cache(state)}, text=True, **options)
    if check and done.returncode != 0:
        raise Failure(f"kubectl {' '.join(words)} failed" + (f": {done.stderr.strip()}" if quiet else ""))
    return done


def kubectl_json(state: State, *words: str) -> dict:
    return json.loads(kubectl(state, *words, "-o", "json", quiet=True).stdout)


def ready_nodes(state: State) -> set[str]:
    nodes = kubectl_json(state, "get", "nodes")["items"]
    return {node["metadata"]["name"] for node in nodes
            for condition in node["status"].get("conditions", ())
            if condition["type"] == "Ready" and condition["status"] == "True"}


def become_users_kubectl(bin_folder: pathlib.Path, words: list[str]) -> None:
    """The user's own cluster: KUBECONFIG as it is set, no namespaces. Does not return."""
    program = shutil.which("kubectl") or str(state.built / "kubectl")
    if not any(map(os.path.exists, os.environ.get("KUBECONFIG", "").split(":"))):
        raise Failure("--use-kubeconfig needs KUBECONFIG set to a file that describes your cluster")
    if not os.path.exists(program):
        raise Failure("no kubectl on PATH; install one, or build ours: tools/dev cluster build")
    os.execv(program, [program, *words])

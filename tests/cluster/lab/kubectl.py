"""kubectl, in the control plane's network namespace and as the cluster's administrator, or as the user's KUBECONFIG says."""

import json
import os
import pathlib
import shutil
import subprocess

from lab import daemons
from lab.layout import Failure, State


def command(state: State, bin_folder: pathlib.Path) -> list[str]:
    pid = daemons.running_supervisor(state).pid
    return ["nsenter", f"--net=/proc/{pid}/ns/net", str(bin_folder / "kubectl"), f"--kubeconfig={state.admin_kubeconfig}"]


def kubectl(state: State, bin_folder: pathlib.Path, *words: str, quiet: bool = False, check: bool = True,
            **options) -> subprocess.CompletedProcess:
    if quiet:
        options["capture_output"] = True
    # Its discovery cache stays with the cluster: another one at the same address has other API groups.
    environment = {**os.environ, "KUBECACHEDIR": str(state.folder / "kubectl-cache")}
    done = subprocess.run([*command(state, bin_folder), *words], env=environment, text=True, **options)
    if check and done.returncode != 0:
        raise Failure(f"kubectl {' '.join(words)} failed" + (f": {done.stderr.strip()}" if quiet else ""))
    return done


def kubectl_json(state: State, bin_folder: pathlib.Path, *words: str) -> dict:
    return json.loads(kubectl(state, bin_folder, *words, "-o", "json", quiet=True).stdout)


def ready_nodes(state: State, bin_folder: pathlib.Path) -> set[str]:
    nodes = kubectl_json(state, bin_folder, "get", "nodes")["items"]
    return {node["metadata"]["name"] for node in nodes
            for condition in node["status"].get("conditions", ())
            if condition["type"] == "Ready" and condition["status"] == "True"}


def become_users_kubectl(bin_folder: pathlib.Path, words: list[str]) -> None:
    """The user's own cluster: KUBECONFIG as it is set, no namespaces. Does not return."""
    program = shutil.which("kubectl") or str(bin_folder / "kubectl")
    if not os.environ.get("KUBECONFIG"):
        raise Failure("--use-kubeconfig needs KUBECONFIG set to the file that describes your cluster")
    if not os.path.exists(program):
        raise Failure("no kubectl on PATH; install one, or build ours: tools/dev cluster build")
    os.execv(program, [program, *words])

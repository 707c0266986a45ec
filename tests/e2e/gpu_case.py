"""Pods that ask for cards, and what they say of them."""

import json
import os
import re
import unittest

from stage import BUILD, IMAGE, ON_USERS_CLUSTER, stage
from cluster_case import ClusterCase, apply, cluster, kubectl, kubectl_json, pod, wait_until

MIB = 1 << 20
# What a context takes of a simulated card.
CONTEXT = 300 * MIB
ASK_AND_STAY = ["sh", "-c", "simgpu-smi -L; (echo look; echo fill; echo take 1; echo check) | hold; sleep 1000"]
STAY = ["sh", "-c", "simgpu-smi -L; echo look | hold; sleep 1000"]


def in_mib(text):
    """Of an amount as assignments have it."""
    return int(text[:-3]) * (1024 if text.endswith("GiB") else 1)


def limits(memory_mib=None, cores=None, cards=1):
    wanted = {"warpshare.io/gpu": cards}
    if memory_mib is not None:
        wanted["warpshare.io/gpu-memory"] = memory_mib
    if cores is not None:
        wanted["warpshare.io/gpu-cores"] = cores
    return {"limits": {name: str(value) for name, value in wanted.items()}}


def gpu_pod(name, resources, command=STAY, annotations=None, **spec):
    wanted = pod(name, IMAGE, command, **spec)
    wanted["spec"]["containers"][0]["resources"] = resources
    wanted["metadata"]["annotations"] = annotations or {}
    return wanted


class GpuCase(ClusterCase):
    def setUp(self):
        self.stage = stage()

    def start(self, *pods):
        names = [wanted["metadata"]["name"] for wanted in pods]
        self.addCleanup(kubectl, "delete", "pod", *names, "--ignore-not-found", "--wait=true", "--grace-period=1")
        apply(*pods)
        for name in names:
            self.wait_for_phase(name, "Running", "Succeeded")

    def said(self, name, what, container="main"):
        """The groups of the first line of a container's log that matches, once it is there."""
        def found():
            return re.search(what, kubectl("logs", name, "-c", container, check=False).stdout, re.M)
        return wait_until(f"{name} says {what}", found).groups()

    def assigned(self, name):
        """container -> [(card, memory, cores)], as the scheduler wrote it with the Binding."""
        return self.assignment(kubectl_json("get", "pod", name))

    @staticmethod
    def assignment(pod):
        version, _, *containers = pod["metadata"]["annotations"]["warpshare.io/assignment"].split(";")
        if version != "v1":
            raise AssertionError(f"an assignment of version {version}")
        return {container: [tuple(card.split(":")[:3]) for card in given.split("+")]
                for container, given in (part.split("=") for part in containers)}

    def look(self, *words, code=0):
        """`kubectl warpshare WORDS`, by the real kubectl."""
        with_plugin = {"env": {**os.environ, "PATH": f"{os.environ['PATH']}:{BUILD}/bin"}}
        if ON_USERS_CLUSTER:
            said = cluster("kubectl", "--use-kubeconfig", "warpshare", *words, check=False, **with_plugin)
        else:
            said = cluster("exec", "--", "sh", "-c", f'PATH=$PATH:{BUILD}/bin exec kubectl warpshare "$@"', "kubectl", *words, check=False)
        self.assertEqual(said.returncode, code, said.stdout + said.stderr)
        return said.stdout

    def look_at_cards(self):
        """All that there are, each with the parts that somebody has."""
        told = json.loads(self.look("inspect", "cards", "-o", "json"))
        return [card for node in told["nodes"] for card in node["cards"]]

    def events(self, name):
        found = kubectl_json("get", "events", "--field-selector", f"involvedObject.name={name}")["items"]
        return "\n".join(event["message"] for event in found)


__all__ = ["ASK_AND_STAY", "CONTEXT", "GpuCase", "IMAGE", "MIB", "STAY", "apply", "gpu_pod", "in_mib", "kubectl",
           "kubectl_json", "limits", "unittest", "wait_until"]

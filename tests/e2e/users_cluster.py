#!/usr/bin/env python3
"""Your own cluster, looked at before anything is tested on it: what is missing is said at once, with its mend."""

import json
import os
import subprocess
import sys

import stage  # noqa: F401  (where cluster_case is found)
from cluster_case import CLUSTER, pod, wait_until

PROGRAMS = ("hold", "simgpu-smi", "share_load")
LOOK = f"for one in {' '.join(PROGRAMS)}; do test -x /bin/$one || echo lacks /bin/$one; done"
PROBE = f"warpshare-test-image-{os.getpid()}"
PATIENCE = 120
# Of a container that waits: nothing comes of waiting longer.
HOPELESS = ("ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName", "CreateContainerError", "RunContainerError",
            "CreateContainerConfigError")


class Missing(Exception):
    pass


def ask(*words, **options):
    """kubectl, as KUBECONFIG says."""
    return subprocess.run([CLUSTER, "kubectl", "--use-kubeconfig", *words], text=True, capture_output=True, **options)


def need(done, what):
    if done.returncode != 0:
        raise Missing(f"{what}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def look_for_context():
    """The namespace that pods will be in."""
    names = need(ask("config", "get-contexts", "-o", "name"), "KUBECONFIG").split()
    if ask("config", "current-context").returncode != 0:
        raise Missing(f"KUBECONFIG={os.environ['KUBECONFIG']} says not which of its contexts is meant: "
                      f"kubectl config use-context NAME; there are: {', '.join(names) or 'none'}")
    view = json.loads(need(ask("config", "view", "--minify", "-o", "json"), "the current context of KUBECONFIG cannot be used"))
    context = view["contexts"][0]
    return context["name"], context["context"].get("namespace", "default")


def look_for_cards():
    nodes = json.loads(need(ask("get", "nodes", "-o", "json", "--request-timeout=20s"), "kubectl get nodes does not work"))["items"]
    with_cards = [node for node in nodes if stage.announced(node)]
    if not with_cards:
        raise Missing("no node announces cards: install warpshare, and label the machines that have some (deploy/README.md)")
    if not any(int(node["status"].get("allocatable", {}).get("warpshare.io/gpu", 0)) for node in with_cards):
        raise Missing("nodes announce cards, and their kubelets have none to give: does warpshare-node run? "
                      "kubectl get pods -A -l app.kubernetes.io/name=warpshare-node")


def probe(image):
    wanted = pod(PROBE, image, ["sh", "-c", LOOK])
    wanted["spec"]["containers"][0]["resources"] = {"limits": {"warpshare.io/gpu-memory": "512"}}
    return wanted


def look_for_webhook(image):
    said = need(ask("create", "--dry-run=server", "-o", "json", "-f", "-", input=json.dumps(probe(image))),
                "a pod that asks for cards is not let in")
    if "warpshare.io/gpu" not in json.loads(said)["spec"]["containers"][0]["resources"]["limits"]:
        raise Missing("nobody completes pods that ask for cards: install the webhook, which is a part of deploy/manifests and of the chart")


def log_of_probe(image):
    """A list of its one log, when it is done; none before."""
    status = json.loads(need(ask("get", "pod", PROBE, "-o", "json"), "the first pod has gone"))["status"]
    if status["phase"] == "Succeeded":
        return [need(ask("logs", PROBE), "the first pod's log cannot be read")]
    for container in status.get("containerStatuses", ()):
        waits = container["state"].get("waiting", {})
        if waits.get("reason") in HOPELESS:
            raise Missing(f"image {image} does not start: {waits['reason']}: {waits.get('message', '')}: "
                          "put it where the nodes can get it, or name another in WARPSHARE_TEST_IMAGE")
    if status["phase"] == "Failed":
        raise Missing(f"image {image} has no shell that works: {ask('logs', PROBE).stdout.strip()}")
    return []


def end_of_probe(image):
    try:
        return wait_until("the start of a pod with 512 MiB of a card", lambda: log_of_probe(image), PATIENCE)[0]
    except AssertionError as late:
        raise Missing(f"{late}:\n{ask('describe', 'pod', PROBE).stdout[-2000:]}") from late


def look_for_image(image):
    try:
        need(ask("create", "-f", "-", input=json.dumps(probe(image))), "a pod cannot be created")
        lacks = end_of_probe(image).split("\n")
    finally:
        ask("delete", "pod", PROBE, "--ignore-not-found", "--wait=true", "--grace-period=1")
    if any(lacks):
        raise Missing(f"image {image} {', '.join(filter(None, lacks))}: tests/e2e/README.md says how to make one")


def main():
    try:
        image = os.environ.get("WARPSHARE_TEST_IMAGE")
        if not image:
            raise Missing("WARPSHARE_TEST_IMAGE names no image: tests/e2e/README.md says how to make one")
        context, space = look_for_context()
        print(f"on the cluster of context {context}, in namespace {space}, with image {image}", flush=True)
        look_for_cards()
        look_for_webhook(image)
        look_for_image(image)
    except Missing as missing:
        sys.exit(f"tools/dev e2e: {missing}")


if __name__ == "__main__":
    main()

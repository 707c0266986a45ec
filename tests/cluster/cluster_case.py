"""The world of a test on a cluster: kubectl, and pods of test images that are there or gone when a call returns.

WARPSHARE_TEST_KUBECONFIG=1 runs the same on the cluster that KUBECONFIG names, where the images must be to be had.
"""

import json
import os
import pathlib
import subprocess
import time
import unittest

CLUSTER = str(pathlib.Path(__file__).resolve().parent / "cluster")
ON_USERS_CLUSTER = bool(os.environ.get("WARPSHARE_TEST_KUBECONFIG"))
# A test that waits this long has failed; nothing is timed by it.
PATIENCE = 180
UNHEARD = ("Unable to connect to the server", "TLS handshake timeout", "client connection lost")
# It may have been done all the same.
UNSURE = (*UNHEARD, "request did not complete within requested timeout")


def cluster(*words, check=True, **options):
    done = subprocess.run([CLUSTER, *map(str, words)], text=True, capture_output=True, **options)
    if check and done.returncode != 0:
        raise AssertionError(f"cluster {' '.join(map(str, words))}: {done.stdout}{done.stderr}")
    return done


def kubectl(*words, check=True, again_on=UNHEARD, **options):
    """Asks again when it was not heard: on a busy machine a handshake may take longer than kubectl waits for it."""
    as_whom = ["--use-kubeconfig"] if ON_USERS_CLUSTER else []
    deadline = time.monotonic() + PATIENCE
    while True:
        done = cluster("kubectl", *as_whom, *words, check=False, **options)
        if not any(text in done.stderr for text in again_on) or time.monotonic() > deadline:
            break
    if check and done.returncode != 0:
        raise AssertionError(f"kubectl {' '.join(map(str, words))}: {done.stdout}{done.stderr}")
    return done


def kubectl_json(*words):
    return json.loads(kubectl(*words, "-o", "json").stdout)


def apply(*objects):
    kubectl("apply", "-f", "-", input=json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}),
            again_on=UNSURE)


def pod(name, image, command, node=None, **spec):
    """A pod of one container, on one node if it matters. SPEC is added to the pod's own."""
    if node:
        spec["nodeSelector"] = {"kubernetes.io/hostname": node}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": {"app": name}},
            "spec": {"terminationGracePeriodSeconds": 1, "restartPolicy": "Never",
                     "containers": [{"name": "main", "image": image, "imagePullPolicy": "IfNotPresent", "command": command}],
                     **spec}}


def wait_until(what, is_so, seconds=PATIENCE, every=0.3):
    deadline = time.monotonic() + seconds
    while not (found := is_so()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(every)
    return found


class ClusterCase(unittest.TestCase):
    def wait_for_phase(self, name, *phases):
        def phase():
            status = kubectl_json("get", "pod", name)["status"]
            return status if status["phase"] in phases else None
        try:
            return wait_until(f"pod {name} {' or '.join(phases)}", phase)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{kubectl('describe', 'pod', name).stdout[-3000:]}") from None

    def run_pod(self, *words, **options):
        """Starts it, removes it at the end of the test; returns its status once it runs or is done."""
        wanted = pod(*words, **options)
        name = wanted["metadata"]["name"]
        self.addCleanup(kubectl, "delete", "pod", name, "--ignore-not-found", "--wait=true", "--grace-period=1")
        apply(wanted)
        return self.wait_for_phase(name, "Running", "Succeeded")

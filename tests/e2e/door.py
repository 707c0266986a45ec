"""Namespaces whose pods meet the webhook and the quotas, as those of an installation do."""

import functools
import json

from gpu_case import GpuCase, apply, kubectl, kubectl_json, wait_until
from stage import ON_USERS_CLUSTER, ROOT, SYSTEM, WEBHOOK_PORT

SECRET = "warpshare-webhook"
QUOTAS = "warpshare-quota"
MANIFEST = ROOT / "deploy/manifests/30-webhook.yaml"
# Only such namespaces, so that no other test depends on it.
LABEL = {"warpshare.test/door": "watched"}


def namespace(name, labels=None):
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels or {}}}


def shipped_webhook():
    """What deploy/ has, with the API server sent to where the webhook is here."""
    shipped = json.loads(kubectl("apply", "--dry-run=client", "-o", "json", "-f", MANIFEST).stdout)["items"]
    (webhook,) = [item for item in shipped if item["kind"] == "MutatingWebhookConfiguration"]
    for hook in webhook["webhooks"]:
        hook["clientConfig"] = {"url": f"https://localhost:{WEBHOOK_PORT}/admit-pods"}
        hook["namespaceSelector"] = {"matchLabels": LABEL}
    return {**webhook, "metadata": {"name": webhook["metadata"]["name"]}}


@functools.cache
def door():
    """There once it is asked for, and believed by the API server."""
    apply(namespace(SYSTEM))
    apply({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": SECRET, "namespace": SYSTEM}}, shipped_webhook())

    def believed():
        found = kubectl_json("get", "mutatingwebhookconfiguration", "warpshare")
        return all(hook["clientConfig"].get("caBundle") for hook in found["webhooks"])
    wait_until("the webhook has given the API server its authority", believed)


def set_quotas(**texts):
    apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": QUOTAS, "namespace": SYSTEM}, "data": texts})


@functools.cache
def current_space():
    return kubectl("config", "view", "--minify", "-o", "jsonpath={..namespace}").stdout or "default"


class DoorCase(GpuCase):
    """Tests whose pods are in a namespace of their own; on your own cluster in the current one, with the webhook that is there."""

    def setUp(self):
        super().setUp()
        if not ON_USERS_CLUSTER:
            door()

    def make_space(self, name, watched):
        if ON_USERS_CLUSTER:
            return current_space()
        apply(namespace(name, LABEL if watched else None))
        self.addCleanup(kubectl, "delete", "namespace", name, "--wait=true")
        return name

    def pods(self, space):
        return {pod["metadata"]["name"]: pod for pod in kubectl_json("get", "pods", "-n", space)["items"]}

    def create(self, space, wanted, *options):
        """The answer to `kubectl create`, whatever it is."""
        if ON_USERS_CLUSTER and "--dry-run=server" not in options:
            self.addCleanup(kubectl, "delete", "pod", "-n", space, wanted["metadata"]["name"], "--ignore-not-found", "--wait=true",
                            "--grace-period=1")
        return kubectl("create", "-n", space, "-f", "-", *options, input=json.dumps(wanted), check=False)

    def wait_for_running(self, space, *names):
        wait_until(f"{names} run", lambda: all(
            self.pods(space)[name]["status"]["phase"] == "Running" for name in names))

    def wait_for_event(self, space, name, words):
        def told():
            found = kubectl_json("get", "events", "-n", space, "--field-selector", f"involvedObject.name={name}")["items"]
            return next((event["message"] for event in found if words in event["message"]), None)
        return wait_until(f"an event of {name} says {words!r}", told)


__all__ = ["DoorCase", "set_quotas"]

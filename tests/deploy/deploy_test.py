"""What deploy/ promises: manifests that hold together, flags that the programs have, a chart that makes the same objects.

Environment: WARPSHARE_NODE and WARPSHARE_SCHEDULER name the built programs, WARPSHARE_HELM a helm (else the one on PATH,
or the one that tests/deploy/helm/build made). What cannot be checked for want of one of them is skipped by name.
"""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANIFESTS = ROOT / "deploy/manifests"
CHART = ROOT / "deploy/helm/warpshare"
NAMESPACE = "warpshare-system"


def documents(text):
    return [document for document in yaml.safe_load_all(text) if document]


def key(document):
    return document["kind"], document["metadata"].get("namespace"), document["metadata"]["name"]


def installed():
    """What `kubectl apply -f deploy/manifests` makes, in that order."""
    return [document for path in sorted(MANIFESTS.glob("*.yaml")) for document in documents(path.read_text())]


def pods():
    owners = [document for document in installed() if document["kind"] in ("DaemonSet", "Deployment")]
    return {owner["metadata"]["name"]: owner["spec"]["template"] for owner in owners}


def container(pod, name):
    return next(c for c in pods()[pod]["spec"]["containers"] if c["name"] == name)


def flags(pod, name):
    """--flag -> value, of a container."""
    return dict((arg.split("=", 1) + [""])[:2] for arg in container(pod, name)["args"])


def find(kind, name):
    return next(d for d in installed() if d["kind"] == kind and d["metadata"]["name"] == name)


def source(path):
    return (ROOT / path).read_text()


def helm():
    built = ROOT / "tests/deploy/helm/build"
    named = os.environ.get("WARPSHARE_HELM") or shutil.which("helm")
    if named:
        return named
    found = subprocess.run([built, "--where"], capture_output=True, text=True)
    return found.stdout.strip() if found.returncode == 0 else None


class Manifests(unittest.TestCase):
    def test_every_object_has_a_name_of_its_own(self):
        keys = [key(document) for document in installed()]
        self.assertEqual(len(keys), len(set(keys)))
        self.assertTrue(all(space in (None, NAMESPACE, "kube-system") for _, space, _ in keys), keys)

    def test_programs_know_the_flags_they_are_given(self):
        for variable, pod in (("WARPSHARE_NODE", "warpshare-node"), ("WARPSHARE_SCHEDULER", "warpshare-scheduler")):
            with self.subTest(pod):
                program = os.environ.get(variable)
                if not program:
                    self.skipTest(f"{variable} is not set")
                text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
                known = set(re.findall(r"--[a-z-]+", text))
                self.assertLessEqual(set(flags(pod, pod)), known)

    def test_rights_are_of_accounts_that_exist_and_name_what_they_need(self):
        accounts = {d["metadata"]["name"] for d in installed() if d["kind"] == "ServiceAccount"}
        roles = {(d["kind"], d["metadata"]["name"]) for d in installed() if d["kind"] in ("Role", "ClusterRole")}
        for document in installed():
            for rule in document.get("rules", []):
                self.assertNotIn("*", rule["verbs"] + rule["resources"] + rule["apiGroups"], key(document))
            if document["kind"].endswith("RoleBinding"):
                role = document["roleRef"]
                kubernetes_own = role["name"].startswith("system:") or role["name"].startswith("extension-apiserver-")
                self.assertTrue(kubernetes_own or (role["kind"], role["name"]) in roles, role)
                self.assertLessEqual({s["name"] for s in document["subjects"]}, accounts)
        for pod in pods().values():
            self.assertIn(pod["spec"]["serviceAccountName"], accounts)

    def test_who_may_touch_secrets_may_touch_one(self):
        for document in installed():
            for rule in document.get("rules", []):
                if "secrets" in rule["resources"]:
                    self.assertEqual((document["kind"], rule["resourceNames"]), ("Role", ["warpshare-webhook"]))

    def test_mounts_of_the_node_are_at_the_hosts_own_paths(self):
        pod = pods()["warpshare-node"]["spec"]
        host = {v["name"]: v["hostPath"]["path"] for v in pod["volumes"]}
        here = {m["name"]: m["mountPath"] for m in pod["containers"][0]["volumeMounts"]}
        self.assertEqual(host, here)
        given = flags("warpshare-node", "warpshare-node")
        self.assertIn(given["--install-dir"], here.values())
        self.assertIn(given["--state-dir"], here.values())
        self.assertIn(given["--kubelet-dir"] + "/device-plugins", here.values())
        self.assertIn(given["--kubelet-dir"] + "/pod-resources", here.values())

    def test_the_webhook_is_where_its_configuration_says(self):
        configuration = find("MutatingWebhookConfiguration", "warpshare")
        given = flags("warpshare-scheduler", "warpshare-scheduler")
        self.assertEqual(given["--webhook"], configuration["metadata"]["name"])
        for webhook in configuration["webhooks"]:
            client = webhook["clientConfig"]["service"]
            service = find("Service", client["name"])
            self.assertEqual(given["--webhook-name"], f"{client['name']}.{client['namespace']}.svc")
            self.assertIn(f'"{client["path"]}"', source("src/cluster/webhook/endpoint.h"))
            self.assertLessEqual(service["spec"]["selector"].items(),
                                 pods()["warpshare-scheduler"]["metadata"]["labels"].items())
            program = container("warpshare-scheduler", "warpshare-scheduler")
            ports = {port["name"]: port["containerPort"] for port in program["ports"]}
            self.assertEqual(str(ports[service["spec"]["ports"][0]["targetPort"]]), given["--webhook-port"])
            self.assertEqual(webhook["sideEffects"], "None")
        secret = find("Secret", "warpshare-webhook")
        self.assertEqual(given["--webhook-secret"], f"{NAMESPACE}/{secret['metadata']['name']}")
        self.assertNotIn("data", secret)

    def test_nobody_meets_the_webhook_but_who_asks_for_cards(self):
        for webhook in find("MutatingWebhookConfiguration", "warpshare")["webhooks"]:
            self.assertEqual(webhook["rules"], [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"],
                                                 "operations": ["CREATE"], "scope": "Namespaced"}])
            self.assertIn("startsWith('warpshare.io/')", webhook["matchConditions"][0]["expression"])

    def test_kube_scheduler_asks_the_extender_beside_it(self):
        configuration = yaml.safe_load(find("ConfigMap", "warpshare-kube-scheduler")["data"]["config.yaml"])
        given = flags("warpshare-scheduler", "warpshare-scheduler")
        extender, = configuration["extenders"]
        prefix = re.search(r'kExtenderPrefix = "([^"]+)"', source("src/cluster/extender/extender.h")).group(1)
        self.assertEqual(extender["urlPrefix"], f"http://{given['--address']}:{given['--port']}{prefix}")
        self.assertEqual([p["schedulerName"] for p in configuration["profiles"]], [given["--scheduler-name"]])
        managed = {resource["name"] for resource in extender["managedResources"]}
        named = set(re.findall(r'"(warpshare\.io/[a-z-]+)"', source("src/abi/names/resources.h")))
        self.assertEqual(managed, named)
        election = configuration["leaderElection"]
        rules = find("Role", "warpshare-scheduler")["rules"]
        leases = [rule for rule in rules if rule.get("resourceNames") == [election["resourceName"]]]
        self.assertEqual((len(leases), election["resourceNamespace"]), (1, NAMESPACE))

    def test_the_example_of_a_quota_is_read_by_the_scheduler(self):
        example, = documents(source("deploy/example-quota.yaml"))
        self.assertEqual(f"{NAMESPACE}/{example['metadata']['name']}",
                         flags("warpshare-scheduler", "warpshare-scheduler")["--quotas"])
        for text in example["data"].values():
            for line in text.splitlines():
                self.assertRegex(line, r"^((cards|memory|cores) = \d+(Gi)?|\[[^\]]+\])\s*(#.*)?$")

    def test_images_are_of_this_version(self):
        version = re.search(r"project\(\w+ VERSION ([\d.]+)", source("CMakeLists.txt")).group(1)
        chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
        self.assertEqual((chart["version"], chart["appVersion"]), (version, version))
        for pod in pods():
            self.assertEqual(container(pod, pod)["image"], f"{pod}:{version}")


class Images(unittest.TestCase):
    RECIPE = ROOT / "deploy/image/Dockerfile"

    def test_the_build_has_the_packages_that_the_products_need(self):
        deps = source("tools/dev.d/deps.sh")
        recipe = self.RECIPE.read_text()
        for group in ("products_packages", "service_packages"):
            for package in re.search(rf"^{group}=\(([^)]*)\)", deps, re.MULTILINE).group(1).split():
                self.assertIn(f" {package} ", recipe.replace("\n", " "), f"{package} of {group}")

    def test_nothing_comes_from_elsewhere_than_packages(self):
        self.assertIsNone(re.search(r"\b(curl|wget|git clone|pip|ADD)\b|https?://", self.RECIPE.read_text()))


class Chart(unittest.TestCase):
    def templates(self):
        return "\n---\n".join(path.read_text() for path in sorted((CHART / "templates").glob("*.yaml")))

    def test_every_value_that_is_used_is_documented_and_the_other_way_round(self):
        text = (CHART / "values.yaml").read_text()
        values = yaml.safe_load(text)
        templates = self.templates() + (CHART / "templates/_names.tpl").read_text()
        used = set(re.findall(r"\.Values\.([A-Za-z.]+)", templates))
        for path in used:
            place = values
            for name in path.split("."):
                self.assertIn(name, place, path)
                place = place[name]

        def leaves(place, path):
            for name, value in place.items():
                here = f"{path}.{name}" if path else name
                if here in used:
                    continue
                self.assertIsInstance(value, dict, f"{here} is used nowhere")
                leaves(value, here)
        leaves(values, "")

    def test_objects_are_named_as_in_the_manifests(self):
        pattern = r"^kind: (\w+)\nmetadata:\n  name: (\S+)$"
        made = set(re.findall(pattern, self.templates(), re.MULTILINE)) - {("ConfigMap", "warpshare-quota")}
        self.assertEqual(made, {(k, name) for k, _, name in map(key, installed()) if k != "Namespace"})


class ChartByHelm(unittest.TestCase):
    def setUp(self):
        self.helm = helm()
        if not self.helm:
            self.skipTest("no helm here: put one on PATH or run tests/deploy/helm/build")

    def render(self, *sets):
        arguments = [argument for one in sets for argument in ("--set-json", one)]
        rendered = subprocess.run([self.helm, "template", "warpshare", CHART, "--namespace", NAMESPACE,
                                   "--kube-version", "1.36.0", *arguments], capture_output=True, text=True)
        self.assertEqual(rendered.returncode, 0, rendered.stderr)
        return {key(document): document for document in documents(rendered.stdout)}

    def test_lints(self):
        linted = subprocess.run([self.helm, "lint", "--strict", "--kube-version", "1.36.0", CHART],
                                capture_output=True, text=True)
        self.assertEqual(linted.returncode, 0, linted.stdout + linted.stderr)

    def test_makes_what_the_manifests_have(self):
        self.maxDiff = None
        expected = {key(document): document for document in installed() if document["kind"] != "Namespace"}
        self.assertEqual(self.render(), expected)

    def test_values_reach_what_they_are_for(self):
        made = self.render('node.simulated=true', 'node.driverFolder="/usr/local/nvidia/lib64"',
                           'node.runtimeClassName="nvidia"', 'scheduler.name="ours"',
                           'image={"prefix":"r.example/","tag":"2","pullSecrets":[{"name":"s"}]}',
                           'assignmentPolicy.enabled=false', 'webhook.failurePolicy="Ignore"',
                           'quotas={"team-a":"cards = 1\\n"}')
        node = made["DaemonSet", NAMESPACE, "warpshare-node"]["spec"]["template"]["spec"]
        program, = node["containers"]
        self.assertIn("--sim", program["args"])
        self.assertEqual(program["image"], "r.example/warpshare-node:2")
        self.assertEqual((node["runtimeClassName"], node["imagePullSecrets"]), ("nvidia", [{"name": "s"}]))
        self.assertIn({"name": "driver", "mountPath": "/usr/local/nvidia/lib64", "readOnly": True},
                      program["volumeMounts"])
        self.assertEqual(made["ConfigMap", NAMESPACE, "warpshare-quota"]["data"], {"team-a": "cards = 1\n"})
        self.assertNotIn(("ValidatingAdmissionPolicy", None, "warpshare-assignment"), made)
        webhook, = made["MutatingWebhookConfiguration", None, "warpshare"]["webhooks"]
        self.assertEqual(webhook["failurePolicy"], "Ignore")
        scheduler = made["Deployment", NAMESPACE, "warpshare-scheduler"]["spec"]["template"]["spec"]
        self.assertIn("--scheduler-name=ours", scheduler["containers"][0]["args"])


if __name__ == "__main__":
    unittest.main()

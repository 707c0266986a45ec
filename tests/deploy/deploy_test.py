"""What deploy/ promises: manifests that hold together, flags that the programs have, a chart that makes the same objects.

Environment: WARPSHARE_NODE and WARPSHARE_SCHEDULER name the built programs, WARPSHARE_HELM a helm (else the one on PATH,
or the one that tests/deploy/helm/build made). What cannot be checked for want of one of them is skipped by name.
"""

import json
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
# Values of the chart that were not there from the beginning.
LATER_VALUES = ("monitoring", "webhook.nvidiaGpu", "node.kubeletDir", "scheduler.apart", "node.updateStrategy",
                *(f"{daemon}.{name}" for daemon in ("node", "scheduler")
                  for name in ("affinity", "priorityClassName", "podLabels", "podAnnotations")))


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
    spec = pods()[pod]["spec"]
    return next(c for c in spec.get("initContainers", []) + spec["containers"] if c["name"] == name)


def flags(pod, name):
    """--flag -> value, of a container."""
    return dict((arg.split("=", 1) + [""])[:2] for arg in container(pod, name)["args"])


def find(kind, name):
    return next(d for d in installed() if d["kind"] == kind and d["metadata"]["name"] == name)


def source(path):
    return (ROOT / path).read_text()


def milliseconds(text):
    number, unit = re.fullmatch(r"(\d+)(ms|s)", text).groups()
    return int(number) * {"ms": 1, "s": 1000}[unit]


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

    def test_what_roles_cannot_say_holds_for_both_accounts_and_all_that_names_or_keeps_an_object(self):
        written = set(re.findall(r"kResourceGpu(?:Memory|Cores)\b", source("src/node/cluster_link/announcer.cc")))
        names = {constant: re.search(rf'{constant}\[\] = "(.+)"', source("src/abi/names/resources.h")).group(1) for constant in written}
        for policy, resource in (("warpshare-node", "nodes"), ("warpshare-pods", "pods")):
            spec = find("ValidatingAdmissionPolicy", policy)["spec"]
            self.assertEqual(spec["matchConstraints"]["resourceRules"][0]["resources"], [resource, f"{resource}/status"])
            for account in ("warpshare-node", "warpshare-scheduler"):
                self.assertIn(f"'system:serviceaccount:{NAMESPACE}:{account}'", spec["matchConditions"][0]["expression"])
            unchanged, = (v["expression"] for v in spec["validations"] if "object.spec ==" in v["expression"])
            for field in ("labels", "finalizers", "ownerReferences"):
                self.assertIn(f"object.metadata.?{field}.", unchanged)
            self.assertEqual(find("ValidatingAdmissionPolicyBinding", policy)["spec"]["validationActions"], ["Deny"])
        ours, = (v["expression"] for v in find("ValidatingAdmissionPolicy", "warpshare-node")["spec"]["variables"] if v["name"] == "ours")
        self.assertEqual(set(re.findall(r"'(.+?)'", ours)), set(names.values()))

    def test_who_looks_reads_and_nothing_else(self):
        cluster, = find("ClusterRole", "warpshare-viewer")["rules"]
        self.assertEqual((cluster["resources"], cluster["verbs"]), (["nodes", "pods"], ["get", "list"]))
        quotas, = find("Role", "warpshare-viewer")["rules"]
        space, name = flags("warpshare-scheduler", "warpshare-scheduler")["--quotas"].split("/")
        self.assertEqual((quotas["resources"], quotas["resourceNames"], quotas["verbs"]), (["configmaps"], [name], ["get"]))
        self.assertIn(f'"{space}/{name}"', source("src/apps/warpshare/options.h"))

    def test_mounts_of_the_node_are_at_the_hosts_own_paths(self):
        pod = pods()["warpshare-node"]["spec"]
        host = {v["name"]: v["hostPath"]["path"] for v in pod["volumes"]}
        here = {m["name"]: m["mountPath"] for m in pod["containers"][0]["volumeMounts"]}
        given = flags("warpshare-node", "warpshare-node")
        self.assertEqual((host.pop("host"), here.pop("host")), ("/", given["--host-root"]))
        self.assertEqual(host, here)
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
            self.assertEqual(service["spec"]["ports"][0]["targetPort"], int(given["--webhook-port"]))
            self.assertIn(int(given["--webhook-port"]), [port["containerPort"] for port in
                                                         container("warpshare-scheduler", "warpshare-scheduler")["ports"]])
            self.assertEqual(webhook["sideEffects"], "None")
        secret = find("Secret", "warpshare-webhook")
        self.assertEqual(given["--webhook-secret"], f"{NAMESPACE}/{secret['metadata']['name']}")
        self.assertNotIn("data", secret)

    def test_nobody_is_sent_to_a_scheduler_that_does_not_know_the_cluster(self):
        probe = container("warpshare-scheduler", "warpshare-scheduler")["readinessProbe"]["httpGet"]
        self.assertEqual((probe["scheme"], probe["port"], probe["path"]), ("HTTPS", "webhook", "/readyz"))
        self.assertIn(f'"{probe["path"]}"', source("src/cluster/webhook/endpoint.cc"))

    def test_nobody_meets_the_webhook_but_who_asks_for_cards(self):
        webhooks = find("MutatingWebhookConfiguration", "warpshare")["webhooks"]
        for webhook in webhooks:
            self.assertEqual(webhook["rules"], [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"],
                                                 "operations": ["CREATE"], "scope": "Namespaced"}])
        ours, plain = (webhook["matchConditions"][0]["expression"] for webhook in webhooks)
        self.assertIn("startsWith('warpshare.io/')", ours)
        self.assertIn("'nvidia.com/gpu' in", plain)

    def test_pods_that_may_be_nvidias_come_in_while_warpshare_is_down_and_namespaces_may_keep_theirs(self):
        ours, plain = find("MutatingWebhookConfiguration", "warpshare")["webhooks"]
        self.assertEqual(flags("warpshare-scheduler", "warpshare-scheduler")["--nvidia-gpu"], "auto")
        self.assertEqual((ours["failurePolicy"], plain["failurePolicy"]), ("Fail", "Ignore"))
        self.assertEqual({rule["key"]: rule["values"] for rule in plain["namespaceSelector"]["matchExpressions"]},
                         {"kubernetes.io/metadata.name": ["kube-system", NAMESPACE], "warpshare.io/nvidia-gpu": ["leave"]})

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

    def test_a_kube_scheduler_without_its_extender_gives_way_within_seconds(self):
        extender = container("warpshare-scheduler", "warpshare-scheduler")
        self.assertEqual(extender["restartPolicy"], "Always")
        self.assertEqual(extender["startupProbe"]["httpGet"], {"port": "metrics", "path": "/readyz"})
        metrics, = (port["containerPort"] for port in extender["ports"] if port["name"] == "metrics")
        probe = container("warpshare-scheduler", "kube-scheduler")["livenessProbe"]
        # A named port would be one of kube-scheduler's own container.
        self.assertEqual(probe["httpGet"], {"port": metrics, "path": "/readyz"})
        self.assertEqual((probe["periodSeconds"], probe["timeoutSeconds"], probe["failureThreshold"]), (1, 1, 1))

    def test_one_kube_scheduler_has_stopped_before_another_begins(self):
        election = yaml.safe_load(find("ConfigMap", "warpshare-kube-scheduler")["data"]["config.yaml"])["leaderElection"]
        lasts, renew, retry = (milliseconds(election[name]) for name in ("leaseDuration", "renewDeadline", "retryPeriod"))
        # The Lease holds whole seconds. Who leads gives up that long after it renewed for the last time; and kube-scheduler's own rules.
        self.assertLessEqual(retry + renew, lasts // 1000 * 1000)
        self.assertLess(renew, lasts)
        self.assertLess(1.2 * retry, renew)

    def test_what_nobody_asks_for_is_done_beside_the_leading_kube_scheduler(self):
        election = yaml.safe_load(find("ConfigMap", "warpshare-kube-scheduler")["data"]["config.yaml"])["leaderElection"]
        self.assertEqual(flags("warpshare-scheduler", "warpshare-scheduler")["--beside"],
                         f"{election['resourceNamespace']}/{election['resourceName']}")

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

    def test_the_schema_knows_every_value_and_no_other(self):
        values = yaml.safe_load((CHART / "values.yaml").read_text())
        schema = json.loads((CHART / "values.schema.json").read_text())

        def compare(values, schema, path):
            self.assertFalse(schema["additionalProperties"], path)
            self.assertEqual(set(values), set(schema["properties"]) - {"global"}, path)
            for name, value in values.items():
                if "additionalProperties" in schema["properties"][name] and value:
                    compare(value, schema["properties"][name], f"{path}.{name}")
        compare(values, schema, "")

    def test_objects_are_named_as_in_the_manifests(self):
        pattern = r"^kind: (\w+)\nmetadata:\n  name: (\S+)$"
        wished_for = {("ConfigMap", "warpshare-quota"), ("ConfigMap", "warpshare-dashboard"), ("PodMonitor", "warpshare"),
                      ("PrometheusRule", "warpshare")}
        made = set(re.findall(pattern, self.templates(), re.MULTILINE)) - wished_for
        self.assertEqual(made, {(k, name) for k, _, name in map(key, installed()) if k != "Namespace"})


class ChartByHelm(unittest.TestCase):
    def setUp(self):
        self.helm = helm()
        if not self.helm:
            self.skipTest("no helm here: put one on PATH or run tests/deploy/helm/build")

    def render(self, *sets, kube_version="1.36.0"):
        arguments = [argument for one in sets for argument in ("--set-json", one)]
        rendered = subprocess.run([self.helm, "template", "warpshare", CHART, "--namespace", NAMESPACE,
                                   "--kube-version", kube_version, *arguments], capture_output=True, text=True)
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

    def test_values_that_cannot_be_are_refused_by_name(self):
        for wrong, named in (("node.split=0", "split"), ("node.splits=4", "splits"), ('webhook.failurePolicy="fail"', "failurePolicy"),
                             ('webhook.nvidiaGpu="yes"', "nvidiaGpu"),
                             ('scheduler.lease.duration="1.5"', "duration"),
                             ('image.prefix="registry.example"', "prefix"), ('node.driverFolder="lib64"', "driverFolder"),
                             ('node.cdiFolder="cdi"', "cdiFolder"), ('node.kubeletDir="/var/lib/kubelet/"', "kubeletDir"),
                             ('node.kubeletDir=""', "kubeletDir"), ('scheduler.apart="yes"', "apart"),
                             ('node.podLabels={"app.kubernetes.io/name":"x"}', "podLabels"),
                             ('monitoring.podMonitor.interval="often"', "interval"),
                             ('scheduler.affinity={"nodeAntiAffinity":{}}', "nodeAntiAffinity"),
                             ('node.updateStrategy.type="Recreate"', "updateStrategy")):
            with self.subTest(wrong):
                refused = subprocess.run([self.helm, "template", CHART, "--set-json", wrong], capture_output=True, text=True)
                self.assertNotEqual(refused.returncode, 0)
                self.assertIn(named, refused.stderr)

    def test_what_becomes_of_plain_cards_is_said_to_the_scheduler_and_decides_who_is_asked_about(self):
        for said, policies in (("auto", ["Fail", "Ignore"]), ("adopt", ["Fail", "Fail"]), ("leave", ["Fail"])):
            made = self.render(f'webhook.nvidiaGpu="{said}"')
            webhooks = made["MutatingWebhookConfiguration", None, "warpshare"]["webhooks"]
            self.assertEqual([webhook["failurePolicy"] for webhook in webhooks], policies, said)
            scheduler = made["Deployment", NAMESPACE, "warpshare-scheduler"]["spec"]["template"]["spec"]["initContainers"][0]
            self.assertIn(f"--nvidia-gpu={said}", scheduler["args"])

    def test_values_reach_what_they_are_for(self):
        made = self.render('node.driverFolder="/usr/local/nvidia/lib64"', 'node.runtimeClassName="nvidia"',
                           'scheduler.name="ours"', 'scheduler.tolerations=[{"operator":"Exists"}]',
                           'scheduler.nodeSelector={"a":"b"}', 'scheduler.lease.duration="15s"',
                           'image={"prefix":"r.example/","tag":"2","pullSecrets":[{"name":"s"}]}',
                           'assignmentPolicy.enabled=false', 'webhook.failurePolicy="Ignore"',
                           'quotas={"team-a":"cards = 1\\n"}')
        node = made["DaemonSet", NAMESPACE, "warpshare-node"]["spec"]["template"]["spec"]
        program, = node["containers"]
        self.assertIn({"name": "WARPSHARE_DRIVER_DIR", "value": "/usr/local/nvidia/lib64"}, program["env"])
        self.assertIn({"name": "NVIDIA_VISIBLE_DEVICES", "value": "all"}, program["env"])
        self.assertNotIn("privileged", program["securityContext"])
        self.assertEqual(program["image"], "r.example/warpshare-node:2")
        self.assertEqual((node["runtimeClassName"], node["imagePullSecrets"]), ("nvidia", [{"name": "s"}]))
        self.assertEqual(made["ConfigMap", NAMESPACE, "warpshare-quota"]["data"], {"team-a": "cards = 1\n"})
        self.assertNotIn(("ValidatingAdmissionPolicy", None, "warpshare-assignment"), made)
        webhooks = made["MutatingWebhookConfiguration", None, "warpshare"]["webhooks"]
        self.assertEqual([webhook["failurePolicy"] for webhook in webhooks], ["Ignore", "Ignore"])
        scheduler = made["Deployment", NAMESPACE, "warpshare-scheduler"]["spec"]["template"]["spec"]
        self.assertIn("--scheduler-name=ours", scheduler["initContainers"][0]["args"])
        configuration = yaml.safe_load(made["ConfigMap", NAMESPACE, "warpshare-kube-scheduler"]["data"]["config.yaml"])
        self.assertEqual(configuration["leaderElection"]["leaseDuration"], "15s")
        self.assertEqual((scheduler["nodeSelector"], scheduler["tolerations"]), ({"a": "b"}, [{"operator": "Exists"}]))

    def test_the_kube_scheduler_is_of_the_clusters_version_and_its_registrys_or_the_one_that_is_named(self):
        def image(*sets, **versions):
            deployment = self.render(*sets, **versions)["Deployment", NAMESPACE, "warpshare-scheduler"]
            return deployment["spec"]["template"]["spec"]["containers"][0]["image"]
        for said, version in (("1.31.4-gke.5", "v1.31.4"), ("v1.30.10+rke2r1", "v1.30.10"), ("1.36.2", "v1.36.2")):
            self.assertEqual(image(kube_version=said), f"registry.k8s.io/kube-scheduler:{version}")
        for unsaid in ('""', "null"):
            self.assertEqual(image(f"scheduler.kubeScheduler.image={unsaid}"), "registry.k8s.io/kube-scheduler:v1.36.0")
        self.assertEqual(image('scheduler.kubeScheduler.image="r.example/ks:1"', kube_version="1.31.4-gke.5"), "r.example/ks:1")

    def test_a_kubelet_in_another_folder_is_asked_there_and_told_of_devices_where_all_kubelets_look(self):
        node = self.render('node.kubeletDir="/var/lib/k0s/kubelet"')["DaemonSet", NAMESPACE, "warpshare-node"]["spec"]["template"]["spec"]
        host = {volume["name"]: volume["hostPath"]["path"] for volume in node["volumes"]}
        here = {mount["name"]: mount["mountPath"] for mount in node["containers"][0]["volumeMounts"]}
        self.assertEqual(host["pod-resources"], "/var/lib/k0s/kubelet/pod-resources")
        self.assertEqual(host["device-plugins"], "/var/lib/kubelet/device-plugins")
        self.assertIn("--kubelet-dir=/var/lib/kubelet", node["containers"][0]["args"])
        self.assertEqual((here["pod-resources"], here["device-plugins"]),
                         ("/var/lib/kubelet/pod-resources", "/var/lib/kubelet/device-plugins"))

    def pods_of(self, *sets):
        made = self.render(*sets)
        return [made[kind, NAMESPACE, name]["spec"] for kind, name in (("DaemonSet", "warpshare-node"), ("Deployment", "warpshare-scheduler"))]

    def test_pods_get_the_labels_annotations_class_and_affinity_that_are_wanted_and_keep_their_own(self):
        near = {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": {"matchFields": []}}]}}
        for kind, before, after in zip(("node", "scheduler"), self.pods_of(), self.pods_of(*(
                f"{daemon}.{name}={json.dumps(value)}" for daemon in ("node", "scheduler") for name, value in (
                    ("podLabels", {"team": "gpu"}), ("podAnnotations", {"note": "seen"}), ("priorityClassName", "mine"), ("affinity", near))))):
            with self.subTest(kind):
                was, now = before["template"], after["template"]
                self.assertEqual(now["metadata"]["labels"], was["metadata"]["labels"] | {"team": "gpu"})
                self.assertEqual(now["metadata"]["annotations"], was["metadata"].get("annotations", {}) | {"note": "seen"})
                self.assertEqual(now["spec"]["priorityClassName"], "mine")
                self.assertEqual(now["spec"]["affinity"], was["spec"].get("affinity", {}) | near)
                self.assertEqual(after["selector"], before["selector"])

    def test_schedulers_may_have_to_be_on_machines_of_their_own_and_are_replaced_there(self):
        _, apart = self.pods_of('scheduler.apart="required"')
        anti = apart["template"]["spec"]["affinity"]["podAntiAffinity"]
        term, = anti.pop("requiredDuringSchedulingIgnoredDuringExecution")
        self.assertEqual((term["topologyKey"], anti), ("kubernetes.io/hostname", {}))
        self.assertLessEqual(term["labelSelector"]["matchLabels"].items(), apart["template"]["metadata"]["labels"].items())
        self.assertEqual(apart["strategy"]["rollingUpdate"], {"maxSurge": 0, "maxUnavailable": 1})

    def test_node_daemons_are_replaced_as_it_is_wanted(self):
        node, _ = self.pods_of('node.updateStrategy={"rollingUpdate":{"maxUnavailable":3}}')
        self.assertEqual(node["updateStrategy"], {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 3}})
        node, _ = self.pods_of('node.updateStrategy={"type":"OnDelete","rollingUpdate":null}')
        self.assertEqual(node["updateStrategy"], {"type": "OnDelete"})

    def test_the_prometheus_operator_finds_both_daemons_and_leaves_their_labels_alone(self):
        monitor = self.render('monitoring.podMonitor={"enabled":true,"labels":{"release":"p"},"interval":"15s"}')["PodMonitor", NAMESPACE, "warpshare"]
        self.assertEqual(monitor["metadata"]["labels"], {"release": "p"})
        spec = monitor["spec"]
        endpoint, = spec["podMetricsEndpoints"]
        self.assertEqual((endpoint["honorLabels"], endpoint["interval"]), (True, "15s"))
        # Of what it would put on the series that exporters name pods by.
        drop, = endpoint["relabelings"]
        self.assertEqual((drop["action"], set(drop["regex"].split("|"))), ("labeldrop", {"namespace", "pod", "container"}))
        jobs = set()
        for name, pod in pods().items():
            self.assertLessEqual(spec["selector"]["matchLabels"].items(), pod["metadata"]["labels"].items())
            self.assertIn(endpoint["port"], [port["name"] for port in container(name, name)["ports"]])
            jobs.add(pod["metadata"]["labels"][spec["jobLabel"]])
        self.assertEqual(jobs, {"warpshare-node", "warpshare-scheduler"})

    def test_rules_and_dashboard_are_the_shipped_ones(self):
        made = self.render("monitoring.rules.enabled=true", 'monitoring.rules.labels={"release":"p"}', "monitoring.dashboard.enabled=true")
        rules = made["PrometheusRule", NAMESPACE, "warpshare"]
        self.assertEqual((rules["spec"], rules["metadata"]["labels"]), (yaml.safe_load(source("deploy/monitoring/alerts.yaml")), {"release": "p"}))
        dashboard = made["ConfigMap", NAMESPACE, "warpshare-dashboard"]
        self.assertEqual(dashboard["metadata"]["labels"], {"grafana_dashboard": "1"})
        self.assertEqual(json.loads(dashboard["data"]["warpshare.json"]), json.loads(source("deploy/monitoring/dashboard.json")))

    def test_cdi_specs_are_written_to_the_hosts_own_folder(self):
        folder = "/var/run/cdi"
        node = self.render(f'node.cdiFolder="{folder}"')["DaemonSet", NAMESPACE, "warpshare-node"]["spec"]["template"]["spec"]
        program, = node["containers"]
        self.assertIn(f"--cdi-dir={folder}", program["args"])
        self.assertEqual([v["hostPath"]["path"] for v in node["volumes"] if v["name"] == "cdi"], [folder])
        self.assertEqual([m for m in program["volumeMounts"] if m["name"] == "cdi"], [{"name": "cdi", "mountPath": folder}])
        if program := os.environ.get("WARPSHARE_NODE"):
            known = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
            self.assertIn("--cdi-dir", known)

    def test_values_of_a_release_before_a_value_was_there_are_enough(self):
        """As `helm upgrade --reuse-values` has it."""
        self.assertEqual(self.render(*(f"{name}=null" for name in LATER_VALUES)), self.render())

    def test_simulated_cards_take_nothing_of_the_host_but_folders_of_ours(self):
        node = self.render("node.simulated=true")["DaemonSet", NAMESPACE, "warpshare-node"]["spec"]["template"]["spec"]
        program, = node["containers"]
        self.assertIn("--sim", program["args"])
        self.assertFalse([arg for arg in program["args"] if arg.startswith("--host-root")])
        self.assertNotIn("privileged", program["securityContext"])
        self.assertEqual(program["securityContext"]["capabilities"], {"drop": ["ALL"], "add": ["SYS_NICE"]})
        for volume in node["volumes"]:
            self.assertRegex(volume["hostPath"]["path"], "^/(run/(warpshare-node|simgpu)|var/lib/(warpshare|kubelet/.*))$")


if __name__ == "__main__":
    unittest.main()

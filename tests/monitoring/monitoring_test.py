"""Alerts, dashboard and docs name the metrics and labels that there are, and Prometheus can read every query."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = ROOT / "src/abi/names/metrics.h"
DOCS = ROOT / "docs/metrics.md"
ALERTS = ROOT / "deploy/monitoring/alerts.yaml"
SCRAPE = ROOT / "deploy/monitoring/scrape.yaml"
MANIFESTS = ROOT / "deploy/manifests"
DASHBOARD = ROOT / "deploy/monitoring/dashboard.json"
CASES = ROOT / "tests/monitoring/alert_cases.yaml"

METRIC = re.compile(r"\bwarpshare_[a-z_]+")
HISTOGRAM_PARTS = ("_bucket", "_sum", "_count")


def promtool():
    """On PATH, or where `tools/dev deps` unpacked it."""
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return shutil.which("promtool") or shutil.which("promtool", path=cache / "warpshare/prometheus/usr/bin")


def exported():
    return set(re.findall(r'"(warpshare_[a-z_]+)"', NAMES.read_text()))


def labels():
    """All label names, as the header's comments have them, and those that Prometheus adds."""
    listed = " ".join(re.findall(r"Labels: ([^.]*)\.", NAMES.read_text().replace("\n// ", " ")))
    return set(re.findall(r"[a-z]+", listed)) | {"le", "job", "instance"}


def base(name):
    for part in HISTOGRAM_PARTS:
        if name.endswith(part):
            return name[: -len(part)]
    return name


def queries():
    """Every query of the dashboard with its variables filled in."""
    dashboard = json.loads(DASHBOARD.read_text())
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            yield panel["title"], re.sub(r"\$[a-z]+", ".*", target["expr"])


def discovered():
    """What Prometheus would be told of each port of the pods in deploy/manifests, one address each."""
    documents = [d for path in sorted(MANIFESTS.glob("*.yaml")) for d in yaml.safe_load_all(path.read_text()) if d]
    for owner in documents:
        if owner["kind"] not in ("DaemonSet", "Deployment"):
            continue
        pod = owner["spec"]["template"]
        labels = {"__meta_kubernetes_pod_label_" + re.sub("[^a-z]", "_", key): value for key, value in pod["metadata"]["labels"].items()}
        for container in pod["spec"].get("initContainers", []) + pod["spec"]["containers"]:
            for port in container.get("ports", []):
                yield {"targets": [f"{owner['metadata']['name']}.test:{port['containerPort']}"],
                       "labels": labels | {"__meta_kubernetes_pod_container_port_name": port["name"]}}


class MonitoringTest(unittest.TestCase):
    def test_the_docs_describe_every_metric_and_no_other(self):
        described = {base(name) for name in METRIC.findall(DOCS.read_text())}
        self.assertEqual(described, exported())

    def test_the_dashboard_uses_metrics_that_exist(self):
        for title, query in queries():
            for name in METRIC.findall(query):
                self.assertIn(base(name), exported(), title)

    def test_the_dashboard_uses_labels_that_exist(self):
        for title, query in queries():
            used = re.findall(r"([a-z]+)=~?\"", query)
            for group in re.findall(r"by \(([^)]*)\)", query):
                used += re.findall(r"[a-z]+", group)
            for label in used:
                self.assertIn(label, labels(), title)

    def test_the_alerts_use_metrics_and_labels_that_exist(self):
        text = ALERTS.read_text()
        for name in METRIC.findall(text):
            self.assertIn(base(name), exported())
        for label in re.findall(r"\$labels\.([a-z]+)", text):
            self.assertIn(label, labels())

    def test_panels_do_not_overlap(self):
        seen = set()
        for panel in json.loads(DASHBOARD.read_text())["panels"]:
            at = panel["gridPos"]
            for x in range(at["x"], at["x"] + at["w"]):
                for y in range(at["y"], at["y"] + at["h"]):
                    self.assertNotIn((x, y), seen, panel["title"])
                    seen.add((x, y))

    @unittest.skipUnless(promtool(), "no promtool; run tools/dev deps")
    def test_prometheus_finds_the_daemons_metrics_and_nothing_else_of_their_pods(self):
        configuration = yaml.safe_load(SCRAPE.read_text())
        job, = configuration["scrape_configs"]
        # Debian's Prometheus is built without it, so that it is told here what it would discover.
        for discovery in job.pop("kubernetes_sd_configs"):
            self.assertEqual(discovery, {"role": "pod", "namespaces": {"names": ["warpshare-system"]}})
        job["static_configs"] = list(discovered())
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            json.dump(configuration, file)
            file.flush()
            done = subprocess.run([promtool(), "check", "service-discovery", "--timeout=1s", file.name, job["job_name"]],
                                  capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        kept = [one["labels"] for one in json.loads(done.stdout) if one.get("labels")]
        self.assertEqual({(one["job"], one["__address__"]) for one in kept},
                         {("warpshare-node", "warpshare-node.test:9464"), ("warpshare-scheduler", "warpshare-scheduler.test:9465")})

    @unittest.skipUnless(promtool(), "no promtool; run tools/dev deps")
    def test_prometheus_reads_every_rule_and_query(self):
        rules = [{"record": f"panel:{n}", "expr": query} for n, (_, query) in enumerate(queries())]
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"groups": [{"name": "dashboard", "rules": rules}]}, file)
            file.flush()
            for path in (str(ALERTS), file.name):
                done = subprocess.run([promtool(), "check", "rules", path], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @unittest.skipUnless(promtool(), "no promtool; run tools/dev deps")
    def test_alerts_fire_when_they_should_and_not_before(self):
        done = subprocess.run([promtool(), "test", "rules", CASES], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)

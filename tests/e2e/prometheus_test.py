"""A real Prometheus, as Debian has it, scrapes the daemons, works the shipped rules and answers queries."""

import json
import os
import pathlib
import shutil
import tempfile
import urllib.parse

import yaml

from gpu_case import GpuCase, MIB, gpu_pod, limits, unittest, wait_until
from stage import FOLDER, METRICS_PORT, READ, ROOT, SCHEDULER_METRICS_PORT, cards, cluster, needs_test_cluster, nodes

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
PROGRAM = shutil.which("prometheus") or shutil.which("prometheus", path=CACHE / "warpshare/prometheus/usr/bin")
PORT = 9090
SCRAPE = ROOT / "deploy/monitoring/scrape.yaml"
RULES = ROOT / "deploy/monitoring/alerts.yaml"


def configuration():
    """The shipped one, told what it would discover if these daemons were pods. JSON is YAML."""
    targets = {"warpshare-node": [f"10.81.0.{10 + node}:{METRICS_PORT}" for node in (1, 2)],
               "warpshare-scheduler": [f"127.0.0.1:{SCHEDULER_METRICS_PORT}"]}
    scrape = yaml.safe_load(SCRAPE.read_text())
    job, = scrape["scrape_configs"]
    del job["kubernetes_sd_configs"]
    job["static_configs"] = [{"targets": found, "labels": {"__meta_kubernetes_pod_label_app_kubernetes_io_part_of": "warpshare",
                                                           "__meta_kubernetes_pod_label_app_kubernetes_io_name": name,
                                                           "__meta_kubernetes_pod_container_port_name": "metrics"}}
                             for name, found in targets.items()]
    return json.dumps({"global": {"scrape_interval": "1s", "evaluation_interval": "1s"}, "rule_files": [str(RULES)], **scrape})


def ask(what, **words):
    url = f"http://127.0.0.1:{PORT}/api/v1/{what}?{urllib.parse.urlencode(words)}"
    done = cluster("exec", "--", *READ, url, check=False)
    return json.loads(done.stdout)["data"] if done.returncode == 0 else None


def query(text):
    """labels and value of each series that answers."""
    found = ask("query", query=text) or {"result": ()}
    return [(series["metric"], float(series["value"][1])) for series in found["result"]]


@needs_test_cluster("runs a Prometheus beside the control plane")
@unittest.skipUnless(PROGRAM, "no prometheus; run tools/dev deps")
class Prometheus(GpuCase):
    def setUp(self):
        super().setUp()
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        file = pathlib.Path(scratch.name) / "prometheus.json"
        file.write_text(configuration())
        cluster("start", "prometheus", "--", PROGRAM, f"--config.file={file}", f"--storage.tsdb.path={FOLDER}/prometheus",
                f"--web.listen-address=127.0.0.1:{PORT}")
        self.addCleanup(cluster, "stop", "prometheus")

    def test_it_scrapes_and_answers(self):
        wait_until("all daemons are scraped", lambda: len(query("up == 1")) == 3)
        capacity = {labels["card"]: value for labels, value in query("warpshare_card_memory_capacity_bytes")}
        self.assertEqual(capacity, {card: 40960 * MIB for node in nodes() for card in cards(node)})
        self.start(gpu_pod("seen", limits(2048, 30)))
        wait_until("the pod is seen", lambda: query('warpshare_tenant_memory_limit_bytes{pod="seen"}'))
        ((labels, limit),) = query('warpshare_tenant_memory_limit_bytes{pod="seen"}')
        self.assertEqual(limit, 2048 * MIB)
        self.assertEqual((labels["namespace"], labels["container"]), ("default", "main"))
        self.assertEqual([value for _, value in query('warpshare_tenant_compute_share_ratio{pod="seen"}')], [0.3])

    def test_it_shows_the_scheduler_and_that_both_ledgers_agree(self):
        wait_until("the scheduler is scraped", lambda: query('up{job="warpshare-scheduler"} == 1'))
        self.assertEqual([value for _, value in query("warpshare_scheduler_cards")], [4])

        def bindings():
            return [value for _, value in query('warpshare_scheduler_verb_seconds_count{verb="bind"}')]

        (before,) = bindings()
        self.start(gpu_pod("counted", limits(2048), node=nodes()[0]))
        wait_until("its Binding is counted", lambda: bindings() == [before + 1])
        of_scheduler = f'warpshare_scheduler_node_memory_allocated_bytes{{node="{nodes()[0]}"}}'
        of_node = f'sum(warpshare_card_memory_allocated_bytes{{node="{nodes()[0]}"}})'
        wait_until("both have given away the same", lambda: query(f"({of_scheduler} == on() {of_node}) >= {2048 * MIB}"))

    def test_the_shipped_rules_work(self):
        self.start(gpu_pod("full", limits(2048), ["sh", "-c", "(echo fill; sleep 3600) | hold"]))

        def about_the_pod():
            """What would be sent when it has gone on for long enough."""
            return {alert["labels"]["alertname"] for alert in ask("alerts")["alerts"] if alert["labels"].get("pod") == "full"}

        wait_until("there is a Prometheus", lambda: ask("alerts") is not None)
        wait_until("the pod is near its limit", lambda: "WarpshareTenantNearLimit" in about_the_pod())

        def rules():
            return [rule for group in ask("rules")["groups"] for rule in group["rules"]]

        wait_until("all rules have been worked", lambda: all(rule["health"] != "unknown" for rule in rules()))
        self.assertEqual({rule["name"]: rule.get("lastError", "") for rule in rules() if rule["health"] != "ok"}, {})
        self.assertEqual(len(rules()), RULES.read_text().count("- alert:"))


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""inspect and explain against a server that only says what a test wants: what is printed, and what goes wrong how."""

import http.server
import json
import os
import threading
import unittest

from cli_case import BUILD, CliCase

CARD = "GPU-00000000-0000-0000-0000-00000000000"


def node(name, cards=1, **spec):
    announced = ";".join(["v1", *(f"{CARD}{name[-1]}:16GiB:16:ok:-:0:Tesla T4" for _ in range(cards))])
    return {"metadata": {"name": name, "annotations": {"warpshare.io/cards": announced}}, "spec": spec,
            "status": {"allocatable": {"cpu": "8", "memory": "64Gi", "warpshare.io/gpu": "16"},
                       "conditions": [{"type": "Ready", "status": "True"}]}}


def pod(name, memory_gib, on=None, space="default"):
    limits = {"warpshare.io/gpu": "1", "warpshare.io/gpu-memory": str(memory_gib * 1024)}
    made = {"metadata": {"name": name, "namespace": space, "uid": name},
            "spec": {"schedulerName": "warpshare", "containers": [{"name": "main", "resources": {"limits": limits}}]},
            "status": {"phase": "Running" if on else "Pending"}}
    if on:
        made["spec"]["nodeName"] = on
        made["metadata"]["annotations"] = {
            "warpshare.io/assignment": f"v1;{on};main={CARD}{on[-1]}:{memory_gib}GiB:0:weighted"}
        made["status"]["containerStatuses"] = [{"name": "main", "restartCount": 0, "state": {"running": {}}}]
    return made


class Server(http.server.ThreadingHTTPServer):
    """Answers GET by what `answers` has for a path; 404 for the rest."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def has(self, nodes, pods):
        self.answers["/api/v1/nodes"] = (200, {"items": nodes, "metadata": {}})
        self.answers["/api/v1/pods"] = (200, {"items": pods, "metadata": {}})
        for one in pods:
            self.answers[f"/api/v1/namespaces/{one['metadata']['namespace']}/pods/{one['metadata']['name']}"] = (200, one)
        for one in nodes:
            self.answers[f"/api/v1/nodes/{one['metadata']['name']}"] = (200, one)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        status, answer = self.server.answers.get(self.path.split("?")[0], (404, {"message": "not found"}))
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Cluster(CliCase):
    def setUp(self):
        super().setUp()
        self.server = Server()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.kubeconfig = self.write_kubeconfig(f"http://127.0.0.1:{self.server.server_port}")
        self.environment["KUBECONFIG"] = self.kubeconfig

    def write_kubeconfig(self, server):
        path = os.path.join(self.folder, f"config-{server.rsplit(':', 1)[1]}")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"current-context": "here", "clusters": [{"name": "c", "cluster": {"server": server}}],
                       "contexts": [{"name": "here", "context": {"cluster": "c"}},
                                    {"name": "team", "context": {"cluster": "c", "namespace": "team"}}]}, file)
        return path

    def says(self, *words, code=0):
        said = self.warpshare(*words)
        self.assertEqual((said.returncode, said.stderr), (code, ""))
        return said.stdout

    def test_inspect_shows_nodes_cards_and_pods(self):
        self.server.has([node("n1"), node("n2")], [pod("holder", 12, on="n1"), pod("waiter", 8, space="team")])
        nodes = self.says("inspect")
        self.assertRegex(nodes, r"(?m)^n1 +1 +12\.00GiB / 16\.00GiB +75% +0 / 100 % +1 +Tesla T4 +ready$")
        self.assertRegex(nodes, r"(?m)^total +2 +12\.00GiB / 32\.00GiB")
        self.assertIn("1 pod waits for cards: see: warpshare explain waiter -n team", nodes)
        self.assertRegex(self.says("inspect", "cards"), r"(?m)^ +12\.00GiB +weighted +default/holder main$")
        self.assertNotIn("holder", self.says("inspect", "cards", "-n", "team"))
        self.assertRegex(self.says("inspect", "pods"), r"(?m)^team +waiter .* waits for 1 card with 8GiB$")
        self.assertNotIn("n2", self.says("inspect", "--node", "n1"))

    def test_inspect_prints_json(self):
        self.server.has([node("n1")], [pod("holder", 12, on="n1")])
        told = json.loads(self.says("inspect", "-o", "json"))
        self.assertEqual(told["totals"]["memory_allocated_bytes"], 12 << 30)
        part, = told["nodes"][0]["cards"][0]["parts"]
        self.assertEqual((part["namespace"], part["pod"], part["container"]), ("default", "holder", "main"))
        told = json.loads(self.says("inspect", "pods", "-o", "json"))
        self.assertEqual(told["pods"][0]["parts"][0]["memory_bytes"], 12 << 30)

    def test_explain_says_why_a_pod_waits_and_what_would_help(self):
        self.server.has([node("n1"), node("n2", unschedulable=True)], [pod("holder", 12, on="n1"), pod("waiter", 8)])
        said = self.says("explain", "waiter", code=3)
        for piece in ("pod default/waiter waits for 1 card with 8GiB", "no_memory", "cordoned", "4.00GiB of memory",
                      "the end of default/holder on n1", "asking for 4GiB of memory at most", "kubectl uncordon n2"):
            self.assertIn(piece, said)
        told = json.loads(self.says("explain", "waiter", "-o", "json", code=3))
        self.assertEqual({group["reason"]: group["nodes"] for group in told["refusals"]},
                         {"no_memory": ["n1"], "cordoned": ["n2"]})
        self.assertEqual(told["departures"], [{"node": "n1", "frees_bytes": 12 << 30, "pods": ["default/holder"]}])

    def test_explain_says_when_there_is_room(self):
        self.server.has([node("n1")], [pod("waiter", 8)])
        self.assertIn("n1 has room for it now", self.says("explain", "waiter"))

    def test_explain_says_which_quota_refuses(self):
        self.server.has([node("n1")], [pod("waiter", 8)])
        path = "/api/v1/namespaces/warpshare-system/configmaps/warpshare-quota"
        self.server.answers[path] = (200, {"data": {"default": "memory = 4Gi"}})
        self.assertIn("the namespace may have 4GiB", self.says("explain", "waiter", code=3))
        self.assertNotIn("quota", self.says("explain", "waiter", "--quotas", ""))
        self.server.answers[path] = (403, {"message": "configmaps is forbidden"})
        self.assertIn("quotas were not looked at: ", self.says("explain", "waiter"))

    def test_explain_says_where_a_pod_is_and_what_is_wrong_there(self):
        holder = pod("holder", 12, on="n1")
        self.server.has([node("n1")], [holder])
        said = self.says("explain", "holder")
        self.assertIn("pod default/holder is on n1: Running", said)
        self.assertRegex(said, rf"(?m)^main +0 +{CARD}1 +Tesla T4 +12GiB +- +weighted +running$")
        self.assertIn("node and API server agree", said)
        holder["metadata"]["annotations"]["warpshare.io/assignment"] += "x"
        self.assertIn("problem: ", self.says("explain", "holder", code=4))

    def test_the_plugin_of_kubectl_has_these_commands_and_takes_its_flags(self):
        self.server.has([node("n1")], [pod("waiter", 8, space="team")])
        plugin = os.path.join(BUILD, "bin", "kubectl-warpshare")
        said = self.run_program(plugin, "explain", "waiter", "--namespace", "team", "--kubeconfig", self.kubeconfig,
                                environment={"KUBECONFIG": "/nonexistent"})
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertIn("team/waiter", self.run_program(plugin, "explain", "waiter", "--context", "team").stdout)
        self.assert_fails(self.run_program(plugin, "run", "--", "true"), 2, "kubectl warpshare --help")

    def test_what_goes_wrong_names_the_thing_and_the_mend(self):
        self.server.has([node("n1")], [])
        server = f"127.0.0.1:{self.server.server_port}"
        self.assert_fails(self.warpshare("explain", "gone"), 1, "no pod gone in namespace default", "-n")
        self.assert_fails(self.warpshare("explain", "gone", "--context", "team"), 1, "no pod gone in namespace team")
        self.assert_fails(self.warpshare("inspect", "--node", "gone"), 1, "no node gone", "kubectl get nodes")
        self.assert_fails(self.warpshare("inspect", "--context", "x"), 1, '"x"', "here, team")
        self.assert_fails(self.warpshare("inspect", "--kubeconfig", "/nonexistent/f"), 1, "/nonexistent/f")
        self.assertIn("n1", self.says("inspect", "--server", f"http://{server}"))
        self.assert_fails(self.warpshare("inspect", "--server", "ftp://x"), 2, "ftp://x", "https://host:6443")
        self.assert_fails(self.warpshare("inspect", "--server", "http://x", "--context", "team"), 2, "--context")
        nothing = {"KUBECONFIG": "", "HOME": self.folder, "KUBERNETES_SERVICE_HOST": ""}
        self.assert_fails(self.warpshare("inspect", environment=nothing), 1, "no kubeconfig", "--kubeconfig")
        self.server.answers["/api/v1/nodes"] = (403, {"message": 'nodes is forbidden: User "x" cannot list'})
        self.assert_fails(self.warpshare("inspect"), 1, server, 'User "x" cannot list', "warpshare-viewer")
        unreachable = self.write_kubeconfig("http://127.0.0.1:1")
        self.assert_fails(self.warpshare("inspect", "--kubeconfig", unreachable), 1, "http://127.0.0.1:1", "see whether it runs")

    def test_words_that_make_no_sense(self):
        for words, piece in ((("inspect", "clouds"), "clouds"), (("inspect", "-o", "yaml"), "yaml"), (("explain",), "pod"),
                             (("inspect", "nodes", "cards"), "cards")):
            self.assert_fails(self.warpshare(*words), 2, piece, "--help")
        self.server.has([node("n1")], [pod("waiter", 8)])
        self.assert_fails(self.warpshare("explain", "waiter", "--quotas", "name"), 2, "NAMESPACE/NAME")


if __name__ == "__main__":
    unittest.main()

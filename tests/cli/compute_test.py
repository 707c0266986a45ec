"""GPU time: what run and set promise, what is written down, and what is shown."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import unittest

from cli_case import CliCase

FIELDS = {"policy", "share_permille", "weight", "priority", "burst_ns", "latency_target_ns", "granted_ns", "used_ns",
          "waiting_processes", "waited_ns", "wait_p50_us", "wait_p99_us", "interval_ns", "used_permille",
          "granted_permille"}


class Compute(CliCase):
    def compute(self, name, card=0):
        return self.card(name, card)["compute"]

    def assert_terms(self, name, card=0, **terms):
        shown = self.compute(name, card)
        self.assertEqual({field: shown[field] for field in terms}, terms)

    def arbiters(self):
        """Pids of those that serve this test's state folder."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                line = path.read_bytes().split(b"\0")
            except OSError:
                continue  # ended meanwhile
            if line[0].endswith(b"warpshare-node") and self.state.encode() in line:
                found.append(int(path.parent.name))
        return found

    def arbiter_check(self, name="arbiter"):
        checks = json.loads(self.warpshare("doctor", "--sim", "--json").stdout)["checks"]
        arbiter, = (check for check in checks if check["name"] == name)
        return arbiter["health"], arbiter["finding"]

    def hold_name_as_another_user(self, card):
        """As that user's arbiter holds it; until the test ends."""
        program = ("import os, socket, sys\nos.setuid(65533)\nholder = socket.socket(socket.AF_UNIX)\n"
                   "holder.bind('\\0warpshare-arbiter/' + sys.argv[1])\nholder.listen(9)\nprint(flush=True)\nsys.stdin.read()")
        holder = subprocess.Popen([sys.executable, "-c", program, card], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(holder.communicate)
        self.assertEqual(holder.stdout.readline(), b"\n")

    def test_flags_say_how_a_tenant_is_held_back(self):
        for number, (words, terms) in enumerate({
                "--cores 30": {"policy": "hard", "share_permille": 300},
                "--cores 12.5 --policy soft --weight 2": {"policy": "soft", "share_permille": 125, "weight": 2},
                "--weight 4": {"policy": "weighted", "share_permille": None, "weight": 4, "priority": None},
                "--priority high": {"policy": "priority", "priority": "high"},
                "--policy priority": {"policy": "priority", "priority": "low"},
                "--policy fixed --cores 10": {"policy": "hard", "share_permille": 100},
                "--cores 10 --burst 50ms --latency-target 5ms": {"burst_ns": 50_000_000, "latency_target_ns": 5_000_000},
        }.items()):
            name = f"t{number}"
            self.tenant("--gpu", str(number % 2), "--name", name, *words.split())
            self.assert_terms(name, **terms)
            self.assertEqual(set(self.compute(name)), FIELDS)

    def test_nobody_is_held_back_without_flags(self):
        self.tenant("--name", "a")
        self.assertIsNone(self.compute("a"))
        self.assertFalse(os.path.exists(os.path.join(self.state, "node.lock")), "and no arbiter is needed")
        self.assertNotIn("SHARE", self.warpshare("top", "--once").stdout)

    def test_set_changes_what_is_said_on_one_card_or_all(self):
        self.tenant("--name", "a", "--cores", "30")
        said = self.warpshare("set", "a", "--policy", "soft", "--gpu", "1")
        self.assertEqual((said.returncode, said.stdout, said.stderr),
                         (0, "a: card 1: GPU time: hard 30% -> soft 30%\n", ""))
        said = self.warpshare("set", "a", "--cores", "50", "--burst", "50ms", "--memory", "1GiB")
        self.assertEqual(said.stdout, "a: card 0: no limit -> 1GiB\n"
                                      "a: card 0: GPU time: hard 30% -> hard 50%, burst 50ms\n"
                                      "a: card 1: no limit -> 1GiB\n"
                                      "a: card 1: GPU time: soft 30% -> soft 50%, burst 50ms\n")
        said = self.warpshare("set", "a", "--policy", "none", "--gpu", "0")
        self.assertEqual(said.stdout, "a: card 0: GPU time: hard 50%, burst 50ms -> none\n")
        self.assertIsNone(self.compute("a", 0))
        self.assert_terms("a", 1, policy="soft", share_permille=500)

    def test_what_makes_no_sense_names_the_flag_and_changes_nothing(self):
        self.tenant("--name", "a", "--gpu", "0", "--cores", "30")
        for words, piece in {"--cores 130": "--cores 130: at most 100", "--weight 2": "--weight: hard",
                             "--policy none --cores 1": "--policy none", "--policy fair": "--policy fair",
                             "--burst 5": "--burst 5", "--priority high --cores 3": "--cores: weighted"}.items():
            self.assert_fails(self.warpshare("set", "a", *words.split()), 2, piece)
        self.assert_terms("a", policy="hard", share_permille=300)
        for words, piece in {"--policy soft": "--cores: hard and soft need one", "--burst 5ms": "--policy: nothing",
                             "--cores 0": "--cores 0", "--policy average --cores 5": "--policy average"}.items():
            self.assert_fails(self.run_in_tenant("true", options=words.split()), 2, piece)
        self.assertEqual(self.folders(), ["a"])

    def test_a_joining_run_may_not_disagree(self):
        self.tenant("--name", "pair", "--gpu", "0", "--cores", "30", "--policy", "soft", "--weight", "2")
        for words in ((), ("--cores", "30"), ("--weight", "2"), ("--policy", "soft", "--cores", "30%")):
            joined = self.run_in_tenant("true", options=("--name", "pair", *words))
            self.assertEqual((joined.returncode, joined.stderr), (0, ""))
        other = self.run_in_tenant("true", options=("--name", "pair", "--cores", "40"))
        self.assert_fails(other, 1, "soft 30% w2, not soft 40% w2", "warpshare set pair")
        self.assert_fails(self.run_in_tenant("true", options=("--name", "pair", "--policy", "none")), 1, "not none")
        self.tenant("--name", "hard", "--gpu", "0", "--cores", "10")
        weighs = self.run_in_tenant("true", options=("--name", "hard", "--weight", "2"))
        self.assert_fails(weighs, 1, "tenant 'hard' already runs with GPU time hard 10%", "warpshare set hard")

    def test_promising_a_card_twice_is_warned_of(self):
        self.tenant("--name", "a", "--gpu", "0", "--cores", "60")
        self.tenant("--name", "w", "--gpu", "0", "--weight", "4")
        fits = self.run_in_tenant("true", options=("--name", "b", "--gpu", "0", "--cores", "40"))
        self.assertEqual((fits.returncode, fits.stderr), (0, ""))
        over = self.run_in_tenant("true", options=("--name", "b", "--cores", "60.5"))
        self.assert_fails(over, 0, "warning: card 0: the shares of a, b add up to 120.5%", "warpshare set")

    def test_top_shows_rates_between_two_looks(self):
        self.tenant("--name", "a", "--gpu", "0", "--cores", "30")
        self.tenant("--name", "b", "--gpu", "1")
        shown = self.warpshare("top", "--once", "--interval", "0.1").stdout
        self.assertRegex(shown, r"(?m)^TENANT +CARD +SHARE +USED +GRANTED")
        self.assertRegex(shown, r"(?m)^a +0 +hard 30% +\d+\.\d% +\d+\.\d%")
        self.assertNotRegex(shown, r"(?m)^b +1 +none +\d+\.\d%")
        said = json.loads(self.warpshare("top", "--once", "--json", "--interval", "0.1").stdout)
        compute = said["tenants"][0]["cards"][0]["compute"]
        self.assertGreaterEqual(compute["interval_ns"], 100_000_000)
        self.assertEqual(compute["used_permille"], 0, "hold computes nothing")
        self.assertIsNone(self.compute("a")["interval_ns"])

    def test_an_arbiter_is_started_and_doctor_sees_it(self):
        self.tenant("--name", "a", "--gpu", "0", "--cores", "30")
        self.assertEqual(self.arbiter_check(), ("ok", "warpshare-node runs"))

    def test_without_an_arbiter_top_says_so_and_doctor_mends_it(self):
        self.tenant("--name", "a", "--gpu", "0", "--cores", "30")
        self.assertNotIn("no arbiter", self.warpshare("ps").stdout)
        node, = self.arbiters()
        os.kill(node, 9)
        self.await_true(lambda: "no arbiter" in self.warpshare("ps").stdout, "the lock goes with its holder")
        self.assertIn("started warpshare-node", self.arbiter_check()[1])
        self.assertNotIn("no arbiter", self.warpshare("ps").stdout)

    def test_an_arbiter_that_is_stopped_is_told_from_one_that_works(self):
        self.tenant("--name", "a", "--gpu", "0", "--cores", "30")
        node, = self.arbiters()
        os.kill(node, signal.SIGSTOP)
        try:
            self.await_true(lambda: "the arbiter hangs" in self.warpshare("ps").stdout, "it renews nothing")
            self.assertIn("runs and does nothing", self.arbiter_check()[1])
        finally:
            os.kill(node, signal.SIGCONT)
        self.await_true(lambda: "arbiter" not in self.warpshare("ps").stdout, "it goes on")
        self.assertEqual(self.arbiter_check(), ("ok", "warpshare-node runs"))

    def test_an_own_arbiter_of_another_state_folder_is_warned_of(self):
        self.tenant("--name", "a", "--gpu", "0", "--cores", "30")
        self.assertEqual(self.arbiter_check("other arbiters"), ("ok", "none"))
        node, = self.arbiters()
        self.state = self.environment["WARPSHARE_STATE_DIR"] = os.path.join(self.folder, "other")
        other = self.run_in_tenant("true", options=("--gpu", "0", "--cores", "30"))
        self.assert_fails(other, 0, "warning: GPU-", f"your arbiter of another state folder (process {node}), too")
        self.tenant("--name", "b", "--gpu", "0", "--cores", "30")
        health, finding = self.arbiter_check("other arbiters")
        self.assertEqual((health, str(node) in finding), ("warning", True))

    @unittest.skipIf(os.geteuid() != 0, "cannot be another user")
    def test_another_users_arbiter_of_a_card_is_warned_of(self):
        self.tenant("--name", "unheld", "--gpu", "0")
        card = self.card("unheld")["uuid"]
        self.hold_name_as_another_user(card)
        self.assertEqual(self.arbiter_check("other arbiters"), ("ok", "none"))
        self.tenant("--name", "a", "--gpu", "0", "--cores", "30")
        joined = self.run_in_tenant("true", options=("--name", "a"))
        words = f"{card[:12]} is handed out by the arbiter of user 65533, too"
        self.assert_fails(joined, 0, "warning: " + words)
        health, finding = self.arbiter_check("other arbiters")
        self.assertEqual(health, "warning")
        self.assertIn(words, finding)


if __name__ == "__main__":
    unittest.main()

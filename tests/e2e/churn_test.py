"""Hundreds of pods come and go while every daemon is killed again and again: nothing is given twice, and nothing is lost."""

import json
import os
import queue
import random
import threading
import time

from gpu_case import GpuCase, MIB, apply, gpu_pod, in_mib, kubectl, kubectl_json, limits, unittest, wait_until
from stage import cards, cluster, needs_test_cluster, nodes

# Fewer where a machine is slow or time is short.
PODS = int(os.environ.get("WARPSHARE_CHURN_PODS", "500"))
BATCH = 10
# At a time, of the 64 slots of four cards.
MOST = 40
# Those that are there at the end, for all records to be compared.
KEPT = 20
CARD_MIB = 40960
LIVE = ["sh", "-c", "simgpu-smi -L; sleep 3600"]
# Of node 1 and 2, and what places pods.
DAEMONS = (1, 2, "warpshare-scheduler", "kube-scheduler")
CHECKPOINT = "/var/lib/kubelet/device-plugins/kubelet_internal_checkpoint"


class Killer(threading.Thread):
    """Some moment after each batch kills one of the daemons without a word, and starts it again as a Deployment would.

    A kill a batch, and not one every few seconds, is as many on a slow machine as on a fast one.
    """

    def __init__(self, stage, seed):
        super().__init__()
        self.stage, self.chance, self.killed, self.error = stage, random.Random(seed), [], None
        self.wanted, self.round = queue.SimpleQueue(), []

    def run(self):
        try:
            while self.wanted.get():
                time.sleep(self.chance.uniform(0, 5))
                self.kill_one(self.next_one())
        except AssertionError as error:
            self.error = error

    def next_one(self):
        """Each in turn, in an order that changes from round to round."""
        if not self.round:
            self.round = self.chance.sample(DAEMONS, len(DAEMONS))
        return self.round.pop()

    def batch_is_made(self):
        self.wanted.put(True)

    def kill_one(self, which):
        if which == "kube-scheduler":
            cluster("stop", "--kill", which)
            cluster("restart", which)
        elif which == "warpshare-scheduler":
            self.stage.kill_scheduler()
            self.stage.start_scheduler()
        else:
            self.stage.kill_node(which)
            self.stage.start_node(which)
        self.killed.append(which)

    def end(self):
        """Once all that is wanted is done."""
        self.wanted.put(False)
        self.join()


@needs_test_cluster("kills daemons")
class Churn(GpuCase):
    def setUp(self):
        super().setUp()
        self.addCleanup(kubectl, "delete", "pods", "--selector", "churn", "--wait=true", "--grace-period=1")
        self.made, self.ran, self.failed = 0, set(), {}

    def pods(self):
        return kubectl_json("get", "pods", "--selector", "churn")["items"]

    @staticmethod
    def given(pods):
        """pod -> (card, MiB) of those that hold something: bound, and not over."""
        return {pod["metadata"]["name"]: GpuCase.assignment(pod)["main"][0][:2] for pod in pods
                if "warpshare.io/assignment" in pod["metadata"].get("annotations", {})
                and pod["status"]["phase"] not in ("Succeeded", "Failed")}

    def check_nothing_is_given_twice(self, pods):
        used = {}
        for card, memory in self.given(pods).values():
            used[card] = used.get(card, 0) + in_mib(memory)
        self.assertLessEqual(max(used.values(), default=0), CARD_MIB, used)

    def make_batch(self):
        # Forty of them fill the cards, so what was given twice would not fit.
        numbers = range(self.made, min(PODS, self.made + BATCH))
        batch = [gpu_pod(f"churn-{number}", limits(3500 + number % 500, 2), LIVE) for number in numbers]
        for pod in batch:
            pod["metadata"]["labels"]["churn"] = "yes"
        apply(*batch)
        self.made += len(batch)

    def settle(self, pods):
        """The names of those that run or have failed; a bare pod that a dead daemon could not start is not started again."""
        for pod in pods:
            name, status = pod["metadata"]["name"], pod["status"]
            if status["phase"] == "Running":
                self.ran.add(name)
            elif status["phase"] == "Failed" and name not in self.ran:
                self.failed[name] = f"{status.get('reason')}: {status.get('message')}"
        return [pod["metadata"]["name"] for pod in pods if pod["status"]["phase"] in ("Running", "Failed")
                and "deletionTimestamp" not in pod["metadata"]]

    def churn(self, chance):
        """One look, and what follows from it. True when all are made, most are gone, and those that are left run."""
        pods = self.pods()
        self.check_nothing_is_given_twice(pods)
        settled = self.settle(pods)
        staying = [pod for pod in pods if "deletionTimestamp" not in pod["metadata"]]
        is_last = self.made == PODS
        if is_last and len(staying) <= KEPT:
            return len(settled) == len(pods)
        spare = min(len(settled), len(staying) - KEPT if is_last else BATCH)
        if spare > 0:
            kubectl("delete", "pod", *chance.sample(settled, spare), "--wait=false", "--grace-period=1")
        if not is_last and len(pods) + BATCH <= MOST:
            self.make_batch()
            self.killer.batch_is_made()
        return False

    @staticmethod
    def kubelets_record():
        """uid of a pod -> its slots and the answers to Allocate, by the kubelets' own checkpoints. Of which cards the slots are is
        the kubelet's choice and means nothing; each answer names the folder of one container."""
        record = {}
        for number in (1, 2):
            text = cluster("node-exec", number, "--", "cat", CHECKPOINT).stdout
            for entry in json.loads(text)["Data"]["PodDeviceEntries"] or ():
                ids = [id for ids in entry["DeviceIDs"].values() for id in ids]
                record.setdefault(entry["PodUID"], []).extend((id, entry["AllocResp"]) for id in ids)
        return record

    def check_record(self, pods):
        """A container that asks for one card has one slot, and nobody else has its folder. The slot itself a kubelet may give out
        twice, when it strikes out a pod that ended while it waits for another's Allocate."""
        record = self.kubelets_record()
        slots = {pod["metadata"]["name"]: record.get(pod["metadata"]["uid"], []) for pod in pods}
        self.assertEqual({name: ids for name, ids in slots.items() if len(ids) != 1}, {})
        self.assertEqual(len({answer for ((_, answer),) in slots.values()}), len(pods), slots)
        return record

    def check_all_agree(self):
        pods = [pod for pod in self.pods() if pod["status"]["phase"] == "Running"]
        given = self.given(pods)
        of_card = {card: 0 for node in nodes() for card in cards(node)}
        for card, memory in given.values():
            of_card[card] += in_mib(memory) * MIB
        of_node = {node: sum(of_card[card] for card in cards(node)) for node in nodes()}
        wait_until(f"the nodes have given away {of_card}", lambda: self.stage.allocated() == of_card)
        wait_until(f"the scheduler has given away {of_node}", lambda: self.stage.scheduler_allocated() == of_node)
        self.check_record(pods)
        for pod in pods:
            name = pod["metadata"]["name"]
            self.assertEqual(self.said(name, r"^GPU 0: .*(GPU-[0-9a-f-]+)"), (given[name][0],))

    def check_all_can_be_had_again(self):
        kubectl("delete", "pods", "--selector", "churn", "--wait=true", "--grace-period=1")
        wait_until("all is given back", lambda: not any(self.stage.allocated().values()))
        names = [f"whole-{n}" for n in range(4)]
        self.start(*(gpu_pod(name, limits(), LIVE) for name in names))
        self.assertEqual({self.assigned(name)["main"][0][0] for name in names}, {card for node in nodes() for card in cards(node)})
        # A kubelet strikes out who is gone when it writes who came: none of the hundreds is left.
        whole = kubectl_json("get", "pods", *names)["items"]
        self.assertEqual(set(self.check_record(whole)), {pod["metadata"]["uid"] for pod in whole})

    def test_daemons_killed_at_random_while_pods_come_and_go(self):
        chance = random.Random(7)
        self.killer = killer = Killer(self.stage, seed=8)
        killer.start()
        try:
            wait_until(f"{PODS} pods have come, and most have gone", lambda: self.churn(chance), seconds=3600, every=1)
        finally:
            killer.end()
        if killer.error:
            raise killer.error
        self.assertEqual(set(killer.killed), set(DAEMONS))
        self.stage.wait_for_daemons()
        self.check_all_agree()
        self.check_all_can_be_had_again()
        self.assertGreater(len(self.ran), PODS / 2, self.failed)
        print(f"({len(self.ran)} of {PODS} pods ran, {len(self.failed)} failed with a reason, {len(killer.killed)} kills) ",
              end="", flush=True)


if __name__ == "__main__":
    unittest.main(verbosity=2)

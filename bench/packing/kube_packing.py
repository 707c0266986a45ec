"""The packing protocol through a real kube-scheduler: one seed of one list. See README.md.

Run below `cluster exec` by bench/packing/run, which gives the nodes and pods in the order of their arrival on standard input.
"""

import argparse
import json
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

from kube import api, objects  # noqa: E402

PODS = "/api/v1/namespaces/default/pods"
CARD_MIB = 1000  # so that a MiB is a thousandth of a card
SLOTS = 1000
AT = (100, 130)  # percent of the cards that pods have asked for


def node(number: int, said: dict) -> dict:
    host = {"cpu": f"{said['cpu_milli']}m", "memory": f"{said['memory_mib']}Mi", "pods": "1000"}
    card = f"{CARD_MIB}MiB:{SLOTS}:ok:-:0:{said['model']}"
    return objects.node(number, said["node"], host, [card] * said["cards"], SLOTS)


def pod_name(number: int) -> str:
    return f"p{number:05d}"


def pod(number: int, said: dict) -> dict:
    limits = {}
    if said["cards"]:
        limits["warpshare.io/gpu"] = str(said["cards"])
        if said["milli"] < CARD_MIB:
            limits["warpshare.io/gpu-memory"] = str(said["milli"])
    made = objects.pod(pod_name(number), {"cpu": f"{said['cpu_milli']}m", "memory": f"{said['memory_mib']}Mi"}, limits,
                       schedulerName="warpshare" if said["cards"] else "default-scheduler")
    if said["models"]:
        made["metadata"]["annotations"] = {"warpshare.io/use-gpu-model": said["models"]}
    return made


def is_refused(found: dict) -> bool:
    return any(condition["type"] == "PodScheduled" and condition.get("reason") == "Unschedulable"
               for condition in found.get("status", {}).get("conditions", ()))


class Replay:
    """Pods come one after the other, a few ahead of kube-scheduler; who finds no room is gone."""

    def __init__(self, pods: list[dict], ahead: int):
        self.pods, self.ahead = pods, ahead
        self.milli = [said["cards"] * said["milli"] for said in pods]
        self.created, self.refused, self.placed = 0, 0, 0
        self.waiting: set[int] = set()
        self._api = api.Api()

    def settle(self, number: int, is_placed: bool) -> None:
        if number not in self.waiting:
            return
        self.waiting.remove(number)
        if is_placed:
            self.placed += self.milli[number]
        else:
            self.refused += 1
            self._api.delete(f"{PODS}/{pod_name(number)}")

    def create_next(self) -> None:
        self._api.create(PODS, pod(self.created, self.pods[self.created]))
        self.waiting.add(self.created)
        self.created += 1

    def take_events(self, events: api.Watch, until_waiting: int) -> None:
        while len(self.waiting) > until_waiting:
            changed = events.next()
            number = int(changed["metadata"]["name"][1:])
            if changed["spec"].get("nodeName"):
                self.settle(number, True)
            elif is_refused(changed):
                self.settle(number, False)

    def run(self, count: int) -> None:
        """Until so many pods have come and all of them have been looked at."""
        events, said = api.Watch(PODS), 0
        while self.created < count:
            self.create_next()
            self.take_events(events, self.ahead)
            if time.monotonic() - said > 10:
                said = time.monotonic()
                self.say()
        self.take_events(events, 0)
        events.close()
        self.say()

    def say(self) -> None:
        print(f"bench packing: {self.created} of {len(self.pods)} pods, {self.refused} found no room, {len(self.waiting)} wait",
              file=sys.stderr, flush=True)


def counts(milli: list[int], capacity: int) -> list[int]:
    """How many pods have come when they ask for 100 % of the cards, and all."""
    arrived = 0
    for count, part in enumerate(milli, 1):
        arrived += part
        if arrived >= capacity:
            return [count, len(milli)]
    return [len(milli)] * 2


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--trace", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--ahead", type=int, default=32)
    options = parser.parse_args()
    lines = [json.loads(line) for line in sys.stdin]
    nodes, pods = ([line for line in lines if ("node" in line) == is_node] for is_node in (True, False))
    api.wait_for_scheduler()
    api.Api().delete_all(PODS)
    api.make_nodes([node(number, said) for number, said in enumerate(nodes)])
    capacity = sum(said["cards"] for said in nodes) * CARD_MIB
    replay, found = Replay(pods, options.ahead), {}
    started = time.monotonic()
    for percent, count in zip(AT, counts(replay.milli, capacity)):
        replay.run(count)
        found[f"unallocated_pct_at_{percent}"] = round(100 * (capacity - replay.placed) / capacity, 3)
    found["seconds"] = round(time.monotonic() - started)
    print(json.dumps({"bench": "packing-kube", "trace": options.trace, "seed": options.seed, **found,
                      "pods": len(pods), "refused": replay.refused}), flush=True)


if __name__ == "__main__":
    main()

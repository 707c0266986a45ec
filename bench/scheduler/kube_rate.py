"""Pods a second through a real kube-scheduler: plain ones, ones with a part of a card, and ones with resources that nobody of ours
looks at, in turns. See README.md.

Run below `cluster exec` by bench/scheduler/run.
"""

import argparse
import json
import os
import pathlib
import signal
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench/scheduler"), str(ROOT / "tools/gpu/share")]

import processors  # noqa: E402
from kube import api, objects, processes  # noqa: E402

PODS = "/api/v1/namespaces/default/pods"
CARD = "16GiB:16:ok:-:0:Tesla T4"
PLAIN, GPU, EXTENDED = "plain", "gpu", "extended"
KINDS = (PLAIN, GPU, EXTENDED)
ROUND = (*KINDS, *reversed(KINDS))  # whatever grows meanwhile falls on all alike
# Under names that no extender asks to see, as many of each as there are warpshare's: what kube-scheduler alone takes for them.
NAMES = {GPU: "warpshare.io", EXTENDED: "example.com"}
HOST = {"cpu": "96", "memory": "512Gi", "pods": "240",
        "example.com/gpu": "128", "example.com/gpu-memory": str(8 * 16384), "example.com/gpu-cores": "800"}
# MiB and percent of one card; what pods of a shared cluster ask for.
PARTS = ((4096, 30), (2048, 10), (8192, 50), (1024, 0), (4096, 0), (6144, 40), (2048, 0), (3072, 20))
PATIENCE = 120


def pod(block: int, number: int, kind: str) -> dict:
    limits = {}
    if kind in NAMES:
        memory, cores = PARTS[number % len(PARTS)]
        limits = {f"{NAMES[kind]}/gpu": "1", f"{NAMES[kind]}/gpu-memory": str(memory)}
        limits |= {f"{NAMES[kind]}/gpu-cores": str(cores)} if cores else {}
    return objects.pod(f"b{block:03d}-{number:05d}", {"cpu": "100m", "memory": "64Mi"}, limits,
                       schedulerName="warpshare" if kind in NAMES else "default-scheduler")


def bind_all(scheduler: int, bound: api.Watch, count: int) -> dict[str, float]:
    """Lets kube-scheduler run until so many pods are on nodes; in seconds, and how busy the processors were."""
    started, before = time.monotonic(), processors.times()
    os.kill(scheduler, signal.SIGCONT)
    while count:
        count -= bound.line().startswith(b'{"type":"ADDED"')
        if time.monotonic() - started > PATIENCE:
            sys.exit("bench scheduler: not all pods were bound in time; if they have no room, take fewer --pods or more --nodes")
    return {"seconds": time.monotonic() - started, **processors.since(before)}


def run_block(block: int, kind: str, size: int) -> dict:
    """SIZE pods that all wait before the first is looked at. Processor time is counted until all is quiet again."""
    scheduler = processes.number(processes.running()["kube-scheduler"])
    os.kill(scheduler, signal.SIGSTOP)
    try:
        api.create_all(PODS, [pod(block, number, kind) for number in range(size)])
        processes.wait_idle()
        bound, before = api.Watch(PODS, "spec.nodeName!%3D", only_metadata=True), processes.all_seconds()
        binding = bind_all(scheduler, bound, size)
    finally:
        os.kill(scheduler, signal.SIGCONT)
    processes.wait_idle()
    cpu = {name: (value - before[name]) / size * 1000 for name, value in processes.all_seconds().items()}
    rate = size / binding["seconds"]
    print(f"bench scheduler: {kind}: {rate:.0f} pods/s", file=sys.stderr)
    return {"kind": kind, "rate": rate, "cpu": cpu, **binding}


def ratios(blocks: list[dict], kind: str, to: str) -> list[float]:
    """Of the rates of two kinds, in each round. What the machine does meanwhile moves single blocks by half, but all of a round alike."""
    rounds = [blocks[first:first + len(ROUND)] for first in range(0, len(blocks), len(ROUND))]
    seconds = [{one: sum(block["seconds"] for block in each if block["kind"] == one) for one in KINDS} for each in rounds]
    return [each[to] / each[kind] for each in seconds]


def figures(blocks: list[dict]) -> dict:
    of_rounds = ratios(blocks, GPU, PLAIN)
    found = {"ratio": round(statistics.median(of_rounds), 3), "round_ratios": [round(ratio, 2) for ratio in of_rounds],
             "extended_ratio": round(statistics.median(ratios(blocks, EXTENDED, PLAIN)), 3),
             "ratio_to_extended": round(statistics.median(ratios(blocks, GPU, EXTENDED)), 3)}
    for kind in KINDS:
        mine = [block for block in blocks if block["kind"] == kind]
        found[f"{kind}_pods_per_s"] = round(statistics.median(block["rate"] for block in mine), 1)
        found[f"{kind}_blocks"] = [round(block["rate"]) for block in mine]
        for share in ("busy_percent", "stolen_percent"):
            found[f"{kind}_{share}"] = round(statistics.mean(block[share] for block in mine), 1)
        found[f"{kind}_cpu_ms"] = {name: round(statistics.mean(block["cpu"][name] for block in mine), 2)
                                   for name in mine[0]["cpu"]}
    return found


def run_round(number: int, size: int) -> list[dict]:
    """On empty nodes, as the first one is."""
    try:
        return [run_block(number * len(ROUND) + place, kind, size) for place, kind in enumerate(ROUND)]
    finally:
        api.Api().delete_all(PODS)


def run(nodes: int, size: int, rounds: int) -> dict:
    api.wait_for_scheduler()
    api.Api().delete_all(PODS)
    api.make_nodes([objects.node(number, f"fake-{number:05d}", HOST, [CARD] * 8, 16) for number in range(nodes)])
    for number, kind in enumerate(KINDS):
        run_block(900 + number, kind, 50)
    return figures([block for number in range(rounds) for block in run_round(number, size)])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=int, nargs="+", default=[1000])
    parser.add_argument("--pods", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--part", type=int, metavar="PERCENT", help="percentageOfNodesToScore, set before this runs (as deployed)")
    options = parser.parse_args()
    for nodes in options.nodes:
        print(json.dumps({"bench": "scheduler-kube", "nodes": nodes, **run(nodes, options.pods, options.rounds)}), flush=True)


if __name__ == "__main__":
    main()

"""How GPU time is shared: throughput lost, caps, tenants side by side, priority, and without an arbiter (gpu/share).

There is no account of a real card that says who had it when. What is judged is the work that each program got done,
against what it got done bare and alone in the same run; beside it stands the tenants' own measure, as `warpshare top`
shows it."""
import functools
import time

from gpu.share import figures, gaps, loads, processors, solo, together
from gpu.stage import json_lines, say, verdict

MOST_S = 300  # for this whole part
CALLERS = (("bare", None), ("tenant not held back", ["--policy", "none"]), ("tenant with a turn", ["--cores", "100"]))


def _part(seconds):
    """A check of about so many seconds, if there is time for it."""
    def decorate(check):
        @functools.wraps(check)
        def within_time(stage):
            deadline = stage.known.setdefault("share_deadline", time.monotonic() + MOST_S)
            if min(deadline - time.monotonic(), stage.seconds_left()) < seconds:
                return {"status": "skipped", "wrong": [f"{seconds} s are not left of the {MOST_S} s of this part"]}
            before = processors.times()
            return {**check(stage), "processors": processors.since(before)}
        return within_time
    return decorate


def _without(stage, *wanted):
    """The result of a check that one of these loads cannot run in, or nothing."""
    for load in wanted:
        if reason := load.why_not(stage):
            return {"status": "skipped", "wrong": [reason]}
    return None


@_part(20)
def driver_calls(stage):
    """Facts to choose the bounds of metering by; nothing is promised."""
    words = [] if stage.simulated else [str(loads.calibrate(stage, "spin"))]
    told, ran = {}, None
    for name, terms in CALLERS:
        command = [stage.program("bin", "driver_calls"), *words]
        if terms is not None:
            command = [stage.program("bin", "warpshare"), "run", "--gpu", "0", *terms, "--", *command]
        ran = stage.bare(command, timeout=30)
        told[name] = {each.pop("figure"): each for each in json_lines(ran.stdout) if "figure" in each}
        if ran.exit != 0:
            return verdict(ran, figures=told)
    results = [figures.figure(f"median of {each}, {name}", value["p50"], value["unit"], p10=value["p10"],
                              p99=value["p99"])
               for name, values in told.items() for each, value in values.items()]
    return figures.outcome(results)


def _solo(stage, load):
    if skipped := _without(stage, load):
        return skipped
    results = solo.measure(stage, load)
    for each in results[:3]:
        say(f"  {load.name}: {each['what']}: {each['value']} {each['unit']}")
    return figures.outcome(results)


@_part(25)
def solo_compute(stage):
    return _solo(stage, loads.COMPUTE)


@_part(25)
def solo_gemm(stage):
    return _solo(stage, loads.GEMM)


@_part(25)
def solo_memory(stage):
    return _solo(stage, loads.MEMORY)


@_part(25)
def solo_tiny(stage):
    return _solo(stage, loads.TINY)


@_part(25)
def solo_graph(stage):
    return _solo(stage, loads.GRAPH)


@_part(45)
def solo_torch(stage):
    return _solo(stage, loads.TORCH)


@_part(20)
def spin(stage):
    """A program that waits for itself goes on: else it has failed."""
    if skipped := _without(stage, loads.SPIN):
        return skipped
    few, results = together.waits_for_itself(stage)
    result = figures.outcome(results)
    return {**result, "status": "failed", "wrong": few} if few else result


def _together(stage, what, *members):
    if skipped := _without(stage, *(member.load for member in members)):
        return skipped
    return figures.outcome(together.shares(stage, what, members))


def _same(stage, load):
    return _together(stage, f"30 and 70 % of {load.name}", together.hard(load, 30), together.hard(load, 70))


@_part(18)
def without_us(stage):
    """To compare with: what two programs get of the card with no warpshare in it."""
    return figures.outcome(together.without_us(stage, loads.COMPUTE, loads.COMPUTE)
                           + together.without_us(stage, loads.COMPUTE, loads.TINY))


@_part(12)
def two_of_compute(stage):
    return _same(stage, loads.COMPUTE)


@_part(12)
def two_of_gemm(stage):
    return _same(stage, loads.GEMM)


@_part(12)
def two_of_memory(stage):
    return _same(stage, loads.MEMORY)


@_part(12)
def two_of_tiny(stage):
    return _same(stage, loads.TINY)


@_part(12)
def two_of_graph(stage):
    return _same(stage, loads.GRAPH)


@_part(25)
def two_of_torch(stage):
    return _same(stage, loads.TORCH)


@_part(12)
def compute_beside_memory(stage):
    return _together(stage, "30 % compute, 70 % memory", together.hard(loads.COMPUTE, 30),
                     together.hard(loads.MEMORY, 70))


@_part(12)
def tiny_beside_long(stage):
    return _together(stage, "50 % tiny, 50 % kernels of 2 ms", together.hard(loads.TINY, 50),
                     together.hard(loads.COMPUTE_2MS, 50))


@_part(25)
def graph_beside_torch(stage):
    return _together(stage, "30 % graph, 70 % torch", together.hard(loads.GRAPH, 30), together.hard(loads.TORCH, 70))


def _gaps(stage, what, *members, at_least=None):
    if skipped := _without(stage, *(member.load for member in members)):
        return skipped
    return figures.outcome(gaps.side_by_side(stage, what, *members, at_least=at_least))


@_part(24)
def two_with_gaps(stage):
    """Each is busy for a third of the time: they fit on the card together."""
    return _gaps(stage, "two with gaps, 50 % each", together.hard(loads.GAPS, 50), together.hard(loads.GAPS, 50),
                 at_least=gaps.LEAST_OF_BARE)


@_part(24)
def gaps_beside_compute(stage):
    return _gaps(stage, "gaps beside compute, 50 % each", together.hard(loads.GAPS, 50),
                 together.hard(loads.COMPUTE, 50))


@_part(45)
def two_of_torch_side_by_side(stage):
    return _gaps(stage, "two of torch, 50 % each", together.hard(loads.TORCH, 50), together.hard(loads.TORCH, 50),
                 at_least=gaps.LEAST_OF_BARE)


@_part(12)
def varying_beside_compute(stage):
    """Kernels of 20 us to 2 ms: work is told in kernels of mean length."""
    return _together(stage, "50 % varying, 50 % compute", together.hard(loads.VARYING, 50),
                     together.hard(loads.COMPUTE, 50))


@_part(14)
def three_waiting_beside_compute(stage):
    """A tenant of three programs that each launch and wait: together they keep the card busy."""
    return _together(stage, "50 % three that wait, 50 % compute", together.hard(loads.WAITING, 50, processes=3),
                     together.hard(loads.COMPUTE, 50))


@_part(14)
def four_mixed(stage):
    return _together(stage, "10, 20, 30, 40 % mixed", together.hard(loads.TINY, 10), together.hard(loads.MEMORY, 20),
                     together.hard(loads.GRAPH, 30), together.hard(loads.GEMM, 40))


@_part(12)
def weighted(stage):
    return _together(stage, "weights 1 and 3", together.Member(loads.COMPUTE, ("--weight", "1"), 0.25),
                     together.Member(loads.COMPUTE, ("--weight", "3"), 0.75))


@_part(16)
def priority_beside_short(stage):
    return figures.outcome(together.priority(stage, loads.COMPUTE))


@_part(16)
def priority_beside_long(stage):
    return figures.outcome(together.priority(stage, loads.COMPUTE_2MS))


@_part(14)
def without_arbiter(stage):
    return figures.outcome(together.without_arbiter(stage))


# A slow card gets no further than its time allows: one of each sort before the second of any.
ALL = [
    driver_calls,
    solo_compute, solo_gemm, solo_torch, spin, solo_tiny, solo_graph, solo_memory,
    without_us, two_of_compute, two_with_gaps, four_mixed,
    priority_beside_short, without_arbiter,
    two_of_gemm, two_of_memory, two_of_tiny, two_of_graph,
    varying_beside_compute, three_waiting_beside_compute, compute_beside_memory, tiny_beside_long, weighted, priority_beside_long,
    gaps_beside_compute, two_of_torch_side_by_side, two_of_torch, graph_beside_torch,
]

"""Several tenants at once: does each get its part?"""
import dataclasses
import time

from gpu.share import arbiter, solo
from gpu.share.figures import figure, jain, percentile
from gpu.share.loads import BURSTS, COMPUTE, SPIN, Load
from gpu.share.players import ToldTogether, new_name, ready
from gpu.share.solo import SECOND_NS
from gpu.share.watch import watching

PLAY_S = 4.0
FIRST_S = 1.0  # is not looked at
LEAST_ROUNDS = 3  # of a program that waits for itself: a call is let through after 100 ms, and a round has some of them


@dataclasses.dataclass(frozen=True)
class Member:
    load: Load
    terms: tuple  # of `warpshare run`
    share: float  # of the card that it is to have
    processes: int = 1  # each with the load


def hard(load, percent, processes=1):
    return Member(load, ("--cores", str(percent)), percent / 100, processes)


def play(stage, players, seconds):
    """All from now on; when they began, what they told, and what top saw in the middle."""
    for player in players:
        player.go()
    begin = time.monotonic_ns()
    time.sleep(FIRST_S)
    with watching(stage, seconds - FIRST_S - 0.4) as watch:
        told = [player.finish() for player in players]
        used = watch.tenants()
    return begin, told, [used.get(player.tenant, {}) for player in players]


def shares(stage, what, members):
    """Each member against its share, by the work that its program got done."""
    lengths = [solo.length(stage, member.load) for member in members]
    owners = [index for index, member in enumerate(members) for _ in range(member.processes)]
    names = [new_name(member.load) for member in members]
    plans = [(members[index].load, PLAY_S, list(members[index].terms), names[index]) for index in owners]
    with ready(stage, *plans) as players:
        begin, programs, accounts = play(stage, players, PLAY_S)
    told = [ToldTogether([each for each, owner in zip(programs, owners) if owner == index]) for index in range(len(members))]
    used = [accounts[owners.index(index)] for index in range(len(members))]
    start, end = begin + int(FIRST_S * SECOND_NS), begin + int((PLAY_S - 0.1) * SECOND_NS)
    reached, worst = [], 0.0
    for member, each, length in zip(members, told, lengths):
        reached.append(each.rate(start, end) * length)
        worst = max([worst] + [abs(rate * length - member.share) for rate in each.window_rates(start, end, SECOND_NS)])
    tenants = [{"load": member.load.name, "processes": member.processes, "terms": " ".join(member.terms), "wanted_percent": 100 * member.share,
                "reached_percent": round(100 * part, 2), "own_measure": own}
               for member, part, own in zip(members, reached, used)]
    has_torch = any(member.load.work == "torch" for member in members)
    mean = max(abs(part - member.share) for part, member in zip(reached, members))
    return [
        figure(f"{what}: worst tenant, mean error", 100 * mean, "points", at_most=1, tenants=tenants),
        figure(f"{what}: worst tenant, worst second", 100 * worst, "points", at_most=None if has_torch else 1),
        figure(f"{what}: Jain's index", jain([part / member.share for part, member in zip(reached, members)]), "",
               at_least=0.99),
        figure(f"{what}: card busy", 100 * sum(reached), "percent", at_least=97,
               handover_us=arbiter.handover_us(stage)),
    ]


def without_us(stage, *loads):
    """Bare programs side by side: what the driver's own time slices give each. Nothing is promised."""
    lengths = [solo.length(stage, load) for load in loads]
    with ready(stage, *((load, PLAY_S, None) for load in loads)) as players:
        begin, told, _ = play(stage, players, PLAY_S)
    start, end = begin + int(FIRST_S * SECOND_NS), begin + int((PLAY_S - 0.1) * SECOND_NS)
    reached = [each.rate(start, end) * length for each, length in zip(told, lengths)]
    what = " and ".join(load.name for load in loads)
    figures = [figure(f"{load.name} of {what}, bare", 100 * part, "percent") for load, part in zip(loads, reached)]
    return [*figures, figure(f"{what}, bare: card busy", 100 * sum(reached), "percent")]


def priority(stage, low):
    """High bursts of 2 ms every 20 ms, alone and beside a low tenant that takes all it can."""
    length = 1 / solo.bare_rate(stage, COMPUTE)
    low_length = 1 / solo.bare_rate(stage, low)
    high_terms, low_terms = ["--priority", "high"], ["--priority", "low"]
    with ready(stage, (BURSTS, PLAY_S, high_terms), (BURSTS, PLAY_S, high_terms), (low, PLAY_S, low_terms)) as players:
        _, (alone,), _ = play(stage, players[:1], PLAY_S)
        begin, (high, other), used = play(stage, players[1:], PLAY_S)
    start, end = begin + int(FIRST_S * SECOND_NS), begin + int((PLAY_S - 0.1) * SECOND_NS)
    left = 1 - high.rate(start, end) * length
    p99 = {name: percentile(told.bursts, 0.99) for name, told in (("alone", alone), ("beside", high))}
    details = {"alone_p50_us": percentile(alone.bursts, 0.5), "alone_p99_us": p99["alone"],
               "p50_us": percentile(high.bursts, 0.5), "bursts": len(high.bursts),
               "own_measure": {"high": used[0], "low": used[1]}}
    what = f"beside low kernels of {low_length * 1e6:.0f} us"
    return [
        figure(f"high p99 {what}", p99["beside"], "us", at_most=round(1.05 * p99["alone"] + low_length * 1e6, 1),
               **details),
        figure(f"low's part of the rest {what}", 100 * other.rate(start, end) * low_length / left, "percent",
               at_least=90, left_percent=round(100 * left, 2)),
    ]


def waits_for_itself(stage):
    """A kernel spins until one that is launched after it has run: nobody is told of that, so the program is slowed down,
    and must not be stopped. With the card for itself and beside a busy tenant; bare to compare with."""
    rounds = {}
    for what, terms, members in (("bare", None, ()), ("alone", ["--cores", "50"], ()),
                                 ("beside another", ["--cores", "50"], ((COMPUTE, PLAY_S, ["--cores", "50"]),))):
        with ready(stage, (SPIN, PLAY_S, terms), *members) as players:
            _, told, _ = play(stage, players, PLAY_S)
        rounds[what] = told[0].done_by(told[0].end["end_ns"])
    few = [f"{count} rounds in {PLAY_S} s {what}: at least {LEAST_ROUNDS} are progress" for what, count in rounds.items()
           if count < LEAST_ROUNDS]
    return few, [figure(f"rounds a second of a program that waits for itself, {what}", count / PLAY_S, "")
                 for what, count in rounds.items()]


def without_arbiter(stage):
    """A soft 30 % alone on the card: all of it, its static share while there is no arbiter, and all of it again."""
    bare = solo.bare_rate(stage, COMPUTE)
    seconds = 6.5
    with ready(stage, (COMPUTE, seconds, ["--cores", "30", "--policy", "soft"])) as (player,):
        player.go()
        begin = time.monotonic_ns()
        time.sleep(1.2)
        if not arbiter.kill(stage):
            raise RuntimeError("no arbiter was running")
        killed = time.monotonic_ns()
        time.sleep(3)
        still_gone = arbiter.find(stage) is None
        arbiter.start(stage)
        back = time.monotonic_ns()
        told = player.finish()
    part = {"before": told.rate(begin + SECOND_NS // 2, killed) / bare,
            "without": told.rate(killed + SECOND_NS, killed + 3 * SECOND_NS) / bare,
            "after": told.rate(back + SECOND_NS, begin + int((seconds - 0.1) * SECOND_NS)) / bare}
    return [
        figure("soft 30 % alone, card busy", 100 * part["before"], "percent", at_least=97),
        # A second after the kill the static share holds; 6 points as in tests/share.
        figure("arbiter killed, error of the static share", 100 * abs(part["without"] - 0.3), "points", at_most=6,
               reached_percent=round(100 * part["without"], 2), it_stayed_away=still_gone),
        figure("arbiter back, card busy", 100 * part["after"], "percent", at_least=90),
    ]

"""A load by itself: bare, as a tenant with the whole card, under caps, and not held back."""
import time

from gpu.share.figures import figure
from gpu.share.players import ready
from gpu.share.watch import watching

BARE_S = 1.5
WARM_S = 0.3  # of a run that is not looked at
SETTLED_S = 0.5  # after a change; 0.2 are promised
SECOND_NS = 1_000_000_000
# What `warpshare set` makes of the tenant, in this order, and for how long. It begins with 100.
SEGMENTS = (("100", 2.0), ("25", 2.6), ("50", 2.6), ("80", 2.6), ("none", 2.0), ("100", 2.0))


def bare_rate(stage, load):
    """Submissions a second of the load alone and bare, measured once a run of the checks."""
    known = stage.known.setdefault("solo_rates", {})
    if load.name not in known:
        with ready(stage, (load, BARE_S, None)) as (player,):
            known[load.name] = _bare(player)
    return known[load.name]


def demand(stage, load):
    """The part of the card that it takes when it has it for itself: for PyTorch by its own measure, which may leave
    the card idle; the others keep it busy all the time."""
    if load.work != "torch":
        return 1.0
    return stage.known.get("demands", {}).get(load.name) or 1.0


def length(stage, load):
    """Of a submission, in seconds of the card."""
    load = load.lasts_as or load
    return demand(stage, load) / bare_rate(stage, load)


def _bare(player):
    player.go()
    told = player.finish()
    start = told.end["start_ns"] + int(WARM_S * SECOND_NS)
    return told.rate(start, told.end["end_ns"])


def _set(stage, name, what):
    words = ["--policy", "none"] if what == "none" else ["--cores", what]
    ran = stage.bare([stage.program("bin", "warpshare"), "set", name, *words], timeout=10)
    if ran.exit != 0:
        raise RuntimeError(f"warpshare set: {ran.stderr.strip()}")


def _play_segments(stage, player):
    """[(what, from_ns, to_ns, used)] and what the program told."""
    segments = []
    player.go()
    for index, (what, seconds) in enumerate(SEGMENTS):
        if index > 0:
            _set(stage, player.name, what)
        begin = time.monotonic_ns()
        time.sleep(SETTLED_S)
        with watching(stage, seconds - SETTLED_S - 0.3) as watch:
            time.sleep(max(0.0, seconds - (time.monotonic_ns() - begin) / SECOND_NS))
            end = time.monotonic_ns()
            used = watch.tenants().get(player.name, {})
        segments.append((what, begin + int(SETTLED_S * SECOND_NS), end, used))
    return segments, player.finish(5)


def _cap_figures(load, cap, wanted, bare, told, segment):
    _, begin, end, used = segment
    reached = told.rate(begin, end) / bare
    windows = told.window_rates(begin, end, SECOND_NS)
    worst = max((abs(rate / bare - wanted) for rate in windows), default=0.0)
    details = {"load": load.name, "cap": cap, "wanted_percent": round(100 * wanted, 2),
               "reached_percent": round(100 * reached, 2), "own_measure": used}
    # A step of PyTorch is some percent of a second: only the mean says something.
    return [figure(f"hard cap {cap} %, mean error", 100 * abs(reached - wanted), "points", at_most=1, **details),
            figure(f"hard cap {cap} %, worst second", 100 * worst, "points",
                   at_most=None if load.work == "torch" else 1, **details)]


def _lost_figure(load, what, bare, told, segments, at_most):
    """The best against the best: whatever disturbs a run makes it slower."""
    rates = [told.rate(begin, end) for _, begin, end, _ in segments]
    return figure(f"throughput lost {what}", 100 * (1 - max(rates) / bare), "percent", at_most=at_most, load=load.name,
                  bare_per_second=round(bare, 2), per_second=[round(each, 2) for each in rates],
                  own_measure=segments[0][3])


def measure(stage, load):
    seconds = sum(seconds for _, seconds in SEGMENTS) + 1.5  # for the commands between
    with ready(stage, (load, BARE_S, None), (load, seconds, ["--cores", "100"]), (load, BARE_S, None)) as players:
        first = _bare(players[0])
        segments, told = _play_segments(stage, players[1])
        last = _bare(players[2])
    bare = max(first, last)
    stage.known.setdefault("solo_rates", {})[load.name] = bare
    whole = [segment for segment in segments if segment[0] == "100"]
    free = [segment for segment in segments if segment[0] == "none"]
    used = (whole[0][3].get("used_permille") or 0) / 1000
    stage.known.setdefault("demands", {})[load.name] = used
    figures = [
        figure("length of a submission", 1e6 / bare, "us", load=load.name, bare_per_second=[first, last],
               spread_percent=round(100 * abs(first - last) / bare, 3)),
        _lost_figure(load, "under --cores 100", bare, told, whole, 0.5),
        _lost_figure(load, "under --policy none", bare, told, free, None),
    ]
    needs = demand(stage, load)
    for segment in segments:
        if segment[0] not in ("100", "none"):
            cap = int(segment[0])
            figures += _cap_figures(load, cap, min(1.0, cap / 100 / needs), bare, told, segment)
    return figures

"""Programs that leave the card idle between their kernels, and others that could use it then. What counts is not the card's
time but what each gets done of what it does alone."""
from gpu.share import solo, together
from gpu.share.figures import figure
from gpu.share.players import ready
from gpu.share.solo import SECOND_NS

PLAY_S = 6.0
FIRST_S = 1.5  # is not looked at: it takes 0.3 s to see that turns are not used, and 0.2 to try what helps
LEAST_OF_BARE = 90  # if nobody's promise is less than it has bare


def _speeds(stage, members, are_tenants):
    """Of each, the part of what it does alone."""
    plans = [(member.load, PLAY_S, list(member.terms) if are_tenants else None) for member in members]
    alone = [solo.bare_rate(stage, member.load) for member in members]
    with ready(stage, *plans) as players:
        begin, told, used = together.play(stage, players, PLAY_S)
    start, end = begin + int(FIRST_S * SECOND_NS), begin + int((PLAY_S - 0.1) * SECOND_NS)
    return [each.rate(start, end) / rate for each, rate in zip(told, alone)], used


def side_by_side(stage, what, *members, at_least=None):
    bare, _ = _speeds(stage, members, are_tenants=False)
    shared, used = _speeds(stage, members, are_tenants=True)
    programs = [{"load": member.load.name, "terms": " ".join(member.terms), "bare_percent": round(100 * alone, 2),
                 "percent": round(100 * part, 2), "own_measure": own}
                for member, alone, part, own in zip(members, bare, shared, used)]
    return [figure(f"{what}: speed of both, of bare side by side", 100 * sum(shared) / sum(bare), "percent",
                   at_least=at_least, programs=programs),
            figure(f"{what}: speed of the slower one, of alone", 100 * min(shared), "percent")]

"""One object a result: what it is, its value, and whether it is what was promised."""


def figure(what, value, unit, at_most=None, at_least=None, **details):
    """Without a bound nothing is promised: target and pass are null."""
    target = at_most if at_most is not None else at_least
    good = None
    if target is not None:
        good = value <= at_most if at_most is not None else value >= at_least
    return {"what": what, "value": round(value, 3), "unit": unit, "target": target,
            "wants": None if target is None else "<=" if at_most is not None else ">=", "pass": good, **details}


def outcome(figures, **more):
    """The result of a check. Missed targets are named; that the check itself ran is another matter."""
    missed = [f"{each['what']}: {each['value']} {each['unit']}, promised {each['wants']} {each['target']}"
              for each in figures if each["pass"] is False]
    return {"status": "missed" if missed else "passed", "wrong": missed, "results": figures, **more}


def percentile(values, part):
    ordered = sorted(values)
    return ordered[round(part * (len(ordered) - 1))] if ordered else 0.0


def jain(values):
    squares = sum(value * value for value in values)
    return sum(values) ** 2 / (len(values) * squares) if squares else 0.0

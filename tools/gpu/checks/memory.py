"""Every allocation family in the patterns of real programs, and the limit to the byte (tests/patterns)."""
from gpu.stage import json_lines, verdict

PROGRAM = ("tests", "bin", "tenant_patterns")


def _outcomes(ran):
    return {each["pattern"]: each for each in json_lines(ran.stdout) if "pattern" in each}


def _failures(outcomes):
    return {name: each["detail"] for name, each in outcomes.items() if not each["ok"]}


def patterns_bare(stage):
    """Which of them this machine's driver can do at all."""
    ran = stage.bare([stage.program(*PROGRAM)], timeout=60)
    outcomes = _outcomes(ran)
    stage.card["patterns_that_fail_bare"] = sorted(_failures(outcomes))
    return verdict(ran, _failures(outcomes).values(), patterns=list(outcomes.values()))


def _limited(stage, memory_gib):
    """Failed is what fails under the limit and not without us."""
    ran = stage.tenant([stage.program(*PROGRAM), "--limited"], memory_gib=memory_gib, timeout=120)
    outcomes = _outcomes(ran)
    excused = stage.card.get("patterns_that_fail_bare", [])
    wrong = [f"{name}: {why}" for name, why in _failures(outcomes).items() if name not in excused]
    if outcomes and not wrong and not ran.timed_out and ran.exit == 1:
        return {"status": "passed", "fail_without_us_too": excused, "patterns": list(outcomes.values())}
    return verdict(ran, wrong, patterns=list(outcomes.values()))


def patterns_limited(stage):
    return _limited(stage, stage.memory_gib)


def patterns_of_a_second_tenant(stage):
    """With another limit, after the first is gone: nothing of it is left."""
    return _limited(stage, 2 * stage.memory_gib)

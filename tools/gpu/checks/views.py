"""What a tenant is told of its card, beside what everybody is told."""
from gpu.stage import json_lines, verdict

MIB = 1 << 20
CONTEXT_SLACK = 64 * MIB  # how far the charge for a context may be from what NVML sees it take


def steps(ran):
    return {each["step"]: each for each in json_lines(ran.stdout) if "step" in each}


class Expectations:
    """Collects what does not hold, with both values."""

    def __init__(self):
        self.wrong = []

    def equal(self, what, found, wanted):
        if found != wanted:
            self.wrong.append(f"{what}: {found}, not {wanted}")

    def holds(self, what, found, is_good):
        if not is_good:
            self.wrong.append(f"{what}: {found}")


def cuda_views(stage):
    bare_run, ran = stage.bare(stage.asking("card.py")), stage.tenant(stage.asking("card.py"))
    bare, mine = steps(bare_run), steps(ran)
    if "end" not in bare:
        return verdict(bare_run, ["the driver itself does not get that far"], bare=bare)
    if "end" not in mine:
        return verdict(ran, ["a tenant does not get as far as without us"], bare=bare, tenant=mine)
    expect = Expectations()
    expect.equal("uuid", mine["card"]["uuid"], bare["card"]["uuid"])
    expect.equal("cuDeviceTotalMem", mine["card"]["total"], stage.limit_bytes)
    expect.equal("cards", mine["driver"]["cards"], 1)
    before = mine["context"]["memory"]
    expect.equal("total of cuMemGetInfo", before["total"], stage.limit_bytes)
    expect.holds("free with a context", before["free"], 0 < before["free"] < stage.limit_bytes)
    expect.equal("bytes that an allocation of 64 MiB + 1 takes", before["free"] - mine["alloc"]["memory"]["free"],
                 64 * MIB + 1)
    expect.equal("free after it was freed", mine["free"]["memory"]["free"], before["free"])
    for step in ("alloc", "free", "module", "launch", "unload"):
        expect.equal(f"result of {step}", mine[step]["result"], bare[step]["result"])
    return verdict(ran, expect.wrong, bare=bare, tenant=mine,
                   charged_for_the_context=stage.limit_bytes - before["free"],
                   charged_for_code=mine["free"]["memory"]["free"] - mine["launch"]["memory"]["free"])


def _taken(told):
    """What NVML sees a process take for its context, its 64 MiB aside."""
    return told["with_memory"]["memory"]["used"] - told["alone"]["memory"]["used"] - 64 * MIB


def nvml_views(stage):
    bare_run, ran = stage.bare(stage.asking("nvml.py")), stage.tenant(stage.asking("nvml.py"))
    bare, mine = steps(bare_run), steps(ran)
    if "end" not in bare:
        return verdict(bare_run, ["NVML itself does not get that far"], bare=bare)
    if "end" not in mine:
        return verdict(ran, ["a tenant does not get as far as without us"], bare=bare, tenant=mine)
    expect = Expectations()
    expect.equal("uuid", mine["card"]["uuid"], bare["card"]["uuid"])
    expect.equal("cards", mine["system"]["cards"], 1)
    for step in ("alone", "with_memory"):
        for memory in (mine[step]["memory"], mine[step]["memory_v2"]):
            expect.equal(f"total, {step}", memory["total"], stage.limit_bytes)
        # The driver of a container may list nobody; then it lists nobody to a tenant too.
        pids = {pid for pid, _ in mine[step]["compute"]["processes"]}
        expect.holds(f"processes, {step}", sorted(pids), pids <= {mine["init"]["pid"]})
    expect.equal("used before it holds anything", mine["alone"]["memory"]["used"], 0)
    expect.holds("context as charged and as it is", [_taken(mine), _taken(bare)],
                 abs(_taken(mine) - _taken(bare)) <= CONTEXT_SLACK)
    return verdict(ran, expect.wrong, bare=bare, tenant=mine, context_as_charged=_taken(mine),
                   context_as_it_is=_taken(bare))

"""Whether our libraries stand in for this machine's driver, function by function."""
import os
import re

from gpu import processes
from gpu.build import ROOT
from gpu.stage import json_lines, verdict

DEF_FILES = os.path.join(ROOT, "src", "abi", "driver", "entry_points")
PUBLIC = re.compile(r"cu[A-Z]|nvml[A-Z]")


def doctor(stage):
    ran = stage.bare([stage.program("bin", "warpshare"), "doctor", "--json"])
    told = json_lines(ran.stdout)
    findings = told[-1]["checks"] if told else []
    wrong = [f"{each['name']}: {each['finding']}" for each in findings if each["health"] != "ok"]
    return verdict(ran, wrong, findings=findings)


def _answers(ran):
    told = json_lines(ran.stdout)
    return told[-1] if told else {}


def lookups_are_the_drivers(stage):
    """cuGetProcAddress answers a tenant as it answers everybody: the same names, versions and refusals."""
    command = stage.asking("lookups.py") + [DEF_FILES]
    ran = stage.bare(command)
    bare = _answers(ran)
    if not bare:
        return verdict(ran, ["the driver gave no answers"])
    ran = stage.tenant(command)
    hooked = _answers(ran)
    differ = [f"{key}: driver {bare[key]}, tenant {hooked.get(key)}" for key in bare if hooked.get(key) != bare[key]]
    known = {key.split()[0] for key, answer in bare.items() if key != "cuInit" and answer[2]}
    names = {key.split()[0] for key in bare if key != "cuInit"}
    return verdict(ran, differ[:40], asked=len(bare), differ=len(differ), names_the_driver_lacks=sorted(names - known))


def _symbols(path):
    ran = processes.run(["nm", "-D", "--defined-only", path], timeout=30)
    return {line.split()[-1].split("@")[0] for line in ran.stdout.splitlines() if line.strip()}


def exports_are_the_drivers(stage):
    """A program linked with the driver must find in our libraries what it found there."""
    wrong, figures = [], {}
    for name, files in (("libcuda.so.1", stage.card["cuda_files"]), ("libnvidia-ml.so.1", stage.card["nvml_files"])):
        if not files:
            wrong.append(f"where {name} lies is not known")
            continue
        theirs, ours = _symbols(files[0]), _symbols(stage.program("lib", "warpshare", name))
        missing = sorted(theirs - ours)
        wrong += [f"{name}: {symbol} is missing" for symbol in missing if PUBLIC.match(symbol)]
        figures[name] = {"file": files[0], "theirs": len(theirs), "ours": len(ours),
                         "private_and_missing": [each for each in missing if not PUBLIC.match(each)],
                         "only_ours": sorted(each for each in ours - theirs if PUBLIC.match(each))}
    ran = processes.run(["nm", "--version"], timeout=30)
    return verdict(ran, wrong, **figures)

"""What a call costs through the interposer (bench/interposer)."""
import os

from gpu.stage import json_lines, verdict


def _is_over_budget(case):
    return case["budget_ns"] and case["added_ns"] - case["error_ns"] > case["budget_ns"]


def per_call(stage):
    """The figures are the result; what is over its budget is named."""
    files = stage.card["cuda_files"]
    if not files and not stage.simulated:
        return {"status": "failed", "wrong": ["where libcuda.so.1 lies is not known"]}
    words = [] if stage.simulated else ["--driver", os.path.dirname(files[0])]
    ran = stage.bare([stage.program("bin", "bench_interposer"), *words], timeout=180)
    cases = json_lines(ran.stdout)
    over = [f"{case['case']} of {case['tenant']} at {case['live']} live on {case['driver']}"
            for case in cases if "budget_ns" in case and _is_over_budget(case)]
    return verdict(ran, [] if cases else ["it told nothing"], over_budget=over, cases=cases)

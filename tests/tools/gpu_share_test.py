"""What tools/gpu_check judges shares by, on outputs of load programs that are known."""

import json
import pathlib
import sys
import tempfile
import types
import unittest

import tool

sys.path.insert(0, str(tool.TOOLS))
from gpu.share import arbiter, figures  # noqa: E402
from gpu.share.players import Told, ToldTogether  # noqa: E402

SECOND = 1_000_000_000


def output(marks, end_s, done, bursts=()):
    lines = [{"ready": 1}, *({"at_ns": int(at_s * SECOND), "so_far": so_far} for at_s, so_far in marks),
             *({"burst_start_ns": 0, "latency_ns": ns} for ns in bursts),
             {"done": done, "start_ns": 0, "end_ns": int(end_s * SECOND)}]
    return "chatter\n" + "".join(json.dumps(line) + "\n" for line in lines)


class WhatALoadToldTest(unittest.TestCase):
    def test_a_rate_is_exact_between_marks_that_add_many_at_a_time(self):
        told = Told(output([(1, 100), (1, 100), (2, 300)], 3, 300))
        self.assertAlmostEqual(told.rate(SECOND, 2 * SECOND), 200)
        self.assertAlmostEqual(told.rate(SECOND // 2, SECOND), 100)

    def test_a_pause_counts(self):
        told = Told(output([(1, 100), (3, 101)], 4, 201))
        self.assertAlmostEqual(told.rate(SECOND, 3 * SECOND), 0.5)
        self.assertEqual(len(told.window_rates(0, 2 * SECOND, SECOND, SECOND // 2)), 3)

    def test_bursts_are_in_microseconds(self):
        self.assertEqual(Told(output([], 1, 2, [2_000_000, 3_000_000])).bursts, [2000, 3000])

    def test_the_programs_of_a_tenant_are_added_up(self):
        both = ToldTogether([Told(output([(1, 100), (2, 200)], 3, 300)), Told(output([(1, 0.5), (2, 1)], 3, 1.5))])
        self.assertAlmostEqual(both.rate(SECOND, 2 * SECOND), 100.5)
        self.assertEqual([round(rate, 6) for rate in both.window_rates(0, SECOND, SECOND)], [100.5])

    def test_a_program_that_died_told_no_end(self):
        self.assertEqual(Told('{"ready": 1}\n{"at_ns": 5, "so_').end, {})


class FigureTest(unittest.TestCase):
    def test_a_bound_is_judged_and_no_bound_is_not(self):
        self.assertIs(figures.figure("error", 1.0, "points", at_most=1)["pass"], True)
        self.assertIs(figures.figure("busy", 96.9, "percent", at_least=97)["pass"], False)
        free = figures.figure("length", 5.0, "us")
        self.assertIsNone(free["pass"])
        self.assertIsNone(free["target"])

    def test_a_missed_target_is_named_and_is_no_failure_of_the_check(self):
        outcome = figures.outcome([figures.figure("error", 1.5, "points", at_most=1), figures.figure("length", 5, "us")])
        self.assertEqual(outcome["status"], "missed")
        self.assertEqual(outcome["wrong"], ["error: 1.5 points, promised <= 1"])

    def test_the_index_of_jain_is_one_for_equals(self):
        self.assertAlmostEqual(figures.jain([1, 1, 1]), 1)
        self.assertAlmostEqual(figures.jain([1, 0]), 0.5)

    def test_a_percentile_is_one_of_the_values(self):
        self.assertEqual(figures.percentile([3, 1, 2], 0.5), 2)
        self.assertEqual(figures.percentile([], 0.99), 0)


class ArbiterTest(unittest.TestCase):
    def test_what_the_card_loses_is_what_the_log_said_last(self):
        with tempfile.TemporaryDirectory() as folder:
            stage = types.SimpleNamespace(state_folder=folder)
            self.assertIsNone(arbiter.handover_us(stage))
            log = pathlib.Path(folder, "node.log")
            log.write_text("a shares GPU-1\n")
            self.assertIsNone(arbiter.handover_us(stage))
            log.write_text("".join(f"GPU-1 loses {us} us when it goes from one tenant to another: turns\n" for us in (90, 201)))
            self.assertEqual(arbiter.handover_us(stage), 201)


if __name__ == "__main__":
    unittest.main()

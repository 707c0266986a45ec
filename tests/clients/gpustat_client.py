"""gpustat: a line for each card."""

import json
import os
import subprocess
import sys
import unittest

import gpustat
from cuda.bindings import driver as cu

from expected import CARD_BYTES, CARDS, MIB


def call(function, *arguments):
    result, *values = function(*arguments)
    if result != cu.CUresult.CUDA_SUCCESS:
        raise AssertionError(f"{function.__name__}: {result.name}")
    return values[0] if values else None


class GpustatCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        call(cu.cuInit, 0)
        call(cu.cuCtxSetCurrent, call(cu.cuDevicePrimaryCtxRetain, call(cu.cuDeviceGet, 0)))
        call(cu.cuMemAlloc, 64 * MIB)

    def test_reads_the_cards_and_who_is_on_them(self):
        cards = gpustat.new_query()
        self.assertEqual(len(cards), CARDS)
        self.assertEqual(cards[0].name, "SimGPU-A100")
        self.assertEqual(cards[0].memory_total, CARD_BYTES // MIB)
        used = {process["pid"]: process["gpu_memory_usage"] for process in cards[0].processes}
        self.assertEqual(used, {os.getpid(): cards[0].memory_used})

    def test_prints_them(self):
        printed = subprocess.run([sys.executable, "-m", "gpustat", "--json"], capture_output=True, text=True, check=True)
        cards = json.loads(printed.stdout)["gpus"]
        self.assertEqual([card["memory.total"] for card in cards], CARDS * [CARD_BYTES // MIB])
        self.assertGreater(cards[0]["memory.used"], 64)


if __name__ == "__main__":
    unittest.main()

"""nvitop: what people watch their cards with."""

import os
import re
import subprocess
import sys
import unittest

import nvitop
from cuda.bindings import driver as cu

from expected import CARD_BYTES, CARDS, MIB


def call(function, *arguments):
    result, *values = function(*arguments)
    if result != cu.CUresult.CUDA_SUCCESS:
        raise AssertionError(f"{function.__name__}: {result.name}")
    return values[0] if values else None


class NvitopCase(unittest.TestCase):
    def setUp(self):
        self.device = nvitop.Device.all()[0]

    def hold_memory(self):
        """Makes this process one of those on the card."""
        call(cu.cuInit, 0)
        device = call(cu.cuDeviceGet, 0)
        call(cu.cuCtxSetCurrent, call(cu.cuDevicePrimaryCtxRetain, device))
        pointer = call(cu.cuMemAlloc, 64 * MIB)

        def let_go():
            call(cu.cuMemFree, pointer)
            call(cu.cuDevicePrimaryCtxRelease, device)
        self.addCleanup(let_go)

    def test_sees_the_machines_cards(self):
        self.assertEqual(nvitop.Device.count(), CARDS)
        self.assertEqual(self.device.name(), "SimGPU-A100")
        self.assertEqual(self.device.memory_total(), CARD_BYTES)
        self.assertEqual(self.device.memory_used() + self.device.memory_free(), CARD_BYTES)
        self.assertEqual(nvitop.Device.driver_version(), "580.65.06")
        self.assertEqual(nvitop.Device.cuda_driver_version(), "13.0")

    def test_reads_whole_snapshots(self):
        for device in nvitop.Device.all():
            snapshot = device.as_snapshot()
            self.assertEqual(snapshot.memory_total, CARD_BYTES)
            self.assertIn(snapshot.gpu_utilization, range(101))
            self.assertEqual(snapshot.performance_state, "P0")

    def test_lists_processes_with_what_they_hold(self):
        self.assertNotIn(os.getpid(), self.device.processes())
        self.hold_memory()
        process = self.device.processes()[os.getpid()]
        self.assertEqual(process.gpu_memory(), self.device.memory_used())
        self.assertGreater(process.gpu_memory(), 64 * MIB)
        self.assertEqual(process.type, "C")
        self.assertIn("python", process.as_snapshot().name)

    def test_prints_its_table_once(self):
        self.hold_memory()
        printed = subprocess.run([sys.executable, "-m", "nvitop", "--once", "--no-unicode"], capture_output=True,
                                 text=True, check=False)
        self.assertEqual(printed.returncode, 0, printed.stderr)
        self.assertIn("SimGPU-A100", printed.stdout)
        self.assertRegex(printed.stdout, rf"{self.device.memory_used() >> 20}(\.\d+)?MiB / "
                                         rf"({CARD_BYTES >> 20}(\.\d+)?MiB|{CARD_BYTES / (1 << 30):.2f}GiB)")
        self.assertTrue(re.search(rf"\b{os.getpid()}\b", printed.stdout), printed.stdout)

    def test_follows_cuda_visible_devices(self):
        uuids = [device.uuid() for device in nvitop.Device.all()]
        visible = nvitop.Device.parse_cuda_visible_devices(uuids[-1])
        self.assertEqual(visible, [CARDS - 1])


if __name__ == "__main__":
    unittest.main()

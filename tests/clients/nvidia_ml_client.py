"""NVIDIA's nvidia-ml-py: NVML, function by function."""

import ctypes
import inspect
import os
import unittest

import pynvml as nv
from cuda.bindings import driver as cu

from expected import CARD_BYTES, CARDS, MIB, NAMES_NO_PROCESS

# Answers that are honest of a card that lacks a thing. Not among them: crashes, "Unknown Error", "Uninitialized".
HONEST = (nv.NVML_ERROR_NOT_SUPPORTED, nv.NVML_ERROR_NOT_FOUND, nv.NVML_ERROR_INVALID_ARGUMENT,
          nv.NVML_ERROR_NO_PERMISSION, nv.NVML_ERROR_FUNCTION_NOT_FOUND)


def call(function, *arguments):
    result, *values = function(*arguments)
    if result != cu.CUresult.CUDA_SUCCESS:
        raise AssertionError(f"{function.__name__}: {result.name}")
    return values[0] if values else None


class NvmlCase(unittest.TestCase):
    def setUp(self):
        nv.nvmlInit()
        self.addCleanup(nv.nvmlShutdown)
        self.device = nv.nvmlDeviceGetHandleByIndex(0)

    def assert_error(self, error, function, *arguments):
        with self.assertRaises(nv.NVMLError) as raised:
            function(*arguments)
        self.assertEqual(raised.exception.value, error)


class Cards(NvmlCase):
    def test_are_the_machines(self):
        self.assertEqual(nv.nvmlDeviceGetCount(), CARDS)
        self.assertEqual(nv.nvmlDeviceGetName(self.device), "SimGPU-A100")
        self.assertEqual(nv.nvmlSystemGetCudaDriverVersion(), 13000)
        self.assertEqual(nv.nvmlSystemGetDriverVersion(), "580.65.06")

    def test_are_found_by_each_of_their_names(self):
        uuid = nv.nvmlDeviceGetUUID(self.device)
        self.assertRegex(uuid, "^GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
        found = (nv.nvmlDeviceGetHandleByUUID(uuid), nv.nvmlDeviceGetHandleBySerial(nv.nvmlDeviceGetSerial(self.device)),
                 nv.nvmlDeviceGetHandleByPciBusId(nv.nvmlDeviceGetPciInfo(self.device).busId))
        for device in found:
            self.assertEqual(nv.nvmlDeviceGetIndex(device), 0)
        self.assert_error(nv.NVML_ERROR_INVALID_ARGUMENT, nv.nvmlDeviceGetHandleByIndex, CARDS)

    def test_have_the_uuid_that_the_driver_tells(self):
        call(cu.cuInit, 0)
        raw = bytes(call(cu.cuDeviceGetUuid, call(cu.cuDeviceGet, 0)).bytes)
        self.assertEqual(nv.nvmlDeviceGetUUID(self.device).replace("-", ""), "GPU" + raw.hex())

    def test_hold_the_total(self):
        first = nv.nvmlDeviceGetMemoryInfo(self.device)
        second = nv.nvmlDeviceGetMemoryInfo(self.device, version=nv.nvmlMemory_v2)
        self.assertEqual((first.total, second.total), (CARD_BYTES, CARD_BYTES))
        self.assertEqual(first.free + first.used, first.total)
        self.assertEqual(second.reserved + second.free + second.used, second.total)

    def test_answer_every_query_that_is_about_one_card(self):
        answered, refused = self.ask_all("nvmlDevice", self.device)
        self.assertGreater(len(answered), 85)
        self.assertEqual([name for name, error in refused.items() if error.value not in HONEST], [])

    def test_answer_every_query_that_is_about_the_system(self):
        answered, refused = self.ask_all("nvmlSystemGet")
        self.assertGreater(len(answered), 4)
        self.assertEqual([name for name, error in refused.items() if error.value not in HONEST], [])

    @staticmethod
    def ask_all(prefix, *arguments):
        """Calls every function of that prefix that takes just these arguments and changes nothing."""
        answered, refused = [], {}
        for name, function in vars(nv).items():
            if not name.startswith(prefix) or not any(word in name for word in ("Get", "Is", "Query")):
                continue
            if "ByIndex" in name or "HandleBy" in name:
                continue  # they take something else than a card
            needed = [each for each in inspect.signature(function).parameters.values() if each.default is each.empty]
            if len(needed) != len(arguments):
                continue
            try:
                function(*arguments)
                answered.append(name)
            except nv.NVMLError as error:
                refused[name] = error
        return answered, refused

    def test_have_figures_in_their_bounds(self):
        use = nv.nvmlDeviceGetUtilizationRates(self.device)
        self.assertLessEqual(use.gpu, 100)
        self.assertIn(nv.nvmlDeviceGetTemperature(self.device, nv.NVML_TEMPERATURE_GPU), range(20, 90))
        self.assertLessEqual(nv.nvmlDeviceGetPowerUsage(self.device), nv.nvmlDeviceGetEnforcedPowerLimit(self.device))
        for clock in (nv.NVML_CLOCK_GRAPHICS, nv.NVML_CLOCK_SM, nv.NVML_CLOCK_MEM, nv.NVML_CLOCK_VIDEO):
            self.assertLessEqual(nv.nvmlDeviceGetClockInfo(self.device, clock),
                                 nv.nvmlDeviceGetMaxClockInfo(self.device, clock))
        self.assertEqual(nv.nvmlDeviceGetMigMode(self.device), [0, 0])

    def test_answer_fields_one_by_one(self):
        fields = nv.nvmlDeviceGetFieldValues(
            self.device, [nv.NVML_FI_DEV_POWER_INSTANT, nv.NVML_FI_DEV_MEMORY_TEMP, 100_000])
        self.assertEqual([field.nvmlReturn for field in fields], [nv.NVML_SUCCESS, nv.NVML_SUCCESS,
                                                                  nv.NVML_ERROR_NOT_SUPPORTED])

    def test_report_no_events_when_there_are_none(self):
        events = nv.nvmlEventSetCreate()
        nv.nvmlDeviceRegisterEvents(self.device, nv.nvmlEventTypeXidCriticalError, events)
        self.assert_error(nv.NVML_ERROR_TIMEOUT, nv.nvmlEventSetWait_v2, events, 10)
        nv.nvmlEventSetFree(events)


class Processes(NvmlCase):
    def test_are_listed_with_what_they_hold(self):
        call(cu.cuInit, 0)
        device = call(cu.cuDeviceGet, 0)
        call(cu.cuCtxSetCurrent, call(cu.cuDevicePrimaryCtxRetain, device))
        before = self.used_by_this_process()
        self.assertGreater(before, 0)  # the context
        pointer = call(cu.cuMemAlloc, 100 * MIB + 1)
        self.assertEqual(self.used_by_this_process(), before + 100 * MIB + 1)
        self.assertEqual(nv.nvmlDeviceGetMemoryInfo(self.device).used, before + 100 * MIB + 1)
        call(cu.cuMemFree, pointer)
        self.assertEqual(self.used_by_this_process(), before)
        call(cu.cuDevicePrimaryCtxRelease, device)
        self.assertEqual(self.used_by_this_process(), 0)

    def used_by_this_process(self):
        lists = [function(self.device) for function in (nv.nvmlDeviceGetComputeRunningProcesses,
                                                        nv.nvmlDeviceGetComputeRunningProcesses_v2)]
        used = [{process.pid: process.usedGpuMemory for process in each} for each in lists]
        self.assertEqual(used[0], used[1])
        return used[0].get(os.getpid(), 0)

    def test_have_names(self):
        self.assertIn("python", nv.nvmlSystemGetProcessName(os.getpid()))

    @unittest.skipIf(NAMES_NO_PROCESS, "the driver's samples name nobody here")
    def test_that_compute_are_told_with_their_share(self):
        call(cu.cuInit, 0)
        device = call(cu.cuDeviceGet, 0)
        call(cu.cuCtxSetCurrent, call(cu.cuDevicePrimaryCtxRetain, device))
        module = call(cu.cuModuleLoadData, b"\x7fELF" + bytes(60))
        call(cu.cuLaunchKernel, call(cu.cuModuleGetFunction, module, b"spin_500ms"), 1, 1, 1, 1, 1, 1, 0, 0, 0, 0)
        call(cu.cuCtxSynchronize)
        samples = nv.nvmlDeviceGetProcessUtilization(self.device, 0)
        self.assertEqual([sample.pid for sample in samples], [os.getpid()])
        self.assertAlmostEqual(samples[0].smUtil, 50, delta=10)
        self.assertAlmostEqual(nv.nvmlDeviceGetUtilizationRates(self.device).gpu, 50, delta=10)
        call(cu.cuDevicePrimaryCtxRelease, device)


class Library(unittest.TestCase):
    def test_answers_nothing_before_it_is_initialised(self):
        with self.assertRaises(nv.NVMLError_Uninitialized):
            nv.nvmlDeviceGetCount()

    def test_has_every_function_of_its_header(self):
        library = ctypes.CDLL("libnvidia-ml.so.1")
        for name in ("nvmlInit", "nvmlDeviceGetComputeRunningProcesses_v3", "nvmlVgpuInstanceGetType", "nvmlGpmSampleGet"):
            self.assertTrue(hasattr(library, name), name)


if __name__ == "__main__":
    unittest.main()

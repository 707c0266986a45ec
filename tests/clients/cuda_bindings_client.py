"""NVIDIA's cuda-bindings: the driver API, function by function."""

import ctypes
import subprocess
import sys
import unittest

import numpy
from cuda.bindings import driver as cu

from expected import CARD_BYTES, CARDS, IMAGE, MIB

OUT_OF_MEMORY = cu.CUresult.CUDA_ERROR_OUT_OF_MEMORY
NULL_STREAM = cu.CUstream(0)


def call(function, *arguments):
    """What the function returns besides its result, which has to be success."""
    result, *values = function(*arguments)
    if result != cu.CUresult.CUDA_SUCCESS:
        raise AssertionError(f"{function.__name__}: {result.name}")
    return values[0] if len(values) == 1 else tuple(values)


def pattern(size, seed=1):
    return numpy.random.default_rng(seed).integers(0, 256, size, dtype=numpy.uint8)


class DriverCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        call(cu.cuInit, 0)
        cls.device = call(cu.cuDeviceGet, 0)
        cls.context = call(cu.cuDevicePrimaryCtxRetain, cls.device)

    def setUp(self):
        call(cu.cuCtxSetCurrent, self.context)

    @classmethod
    def tearDownClass(cls):
        call(cu.cuDevicePrimaryCtxRelease, cls.device)

    def write(self, pointer, data):
        call(cu.cuMemcpyHtoD, pointer, data.ctypes.data, data.nbytes)

    def read(self, pointer, size):
        data = numpy.zeros(size, dtype=numpy.uint8)
        call(cu.cuMemcpyDtoH, data.ctypes.data, pointer, size)
        return data

    def assert_holds(self, pointer, data):
        numpy.testing.assert_array_equal(self.read(pointer, data.nbytes), data)


class Devices(DriverCase):
    def test_are_the_machines_cards(self):
        self.assertEqual(call(cu.cuDeviceGetCount), CARDS)
        self.assertEqual(call(cu.cuDriverGetVersion), 13000)
        self.assertEqual(call(cu.cuDeviceGetName, 64, self.device).rstrip(b"\0 "), b"SimGPU-A100")
        self.assertEqual(call(cu.cuDeviceTotalMem, self.device), CARD_BYTES)
        self.assertEqual(call(cu.cuMemGetInfo)[1], CARD_BYTES)
        self.assertEqual(len(call(cu.cuDeviceGetUuid, self.device).bytes), 16)

    def test_answer_every_attribute(self):
        # An attribute that is no longer one is refused; nothing else is.
        for attribute in cu.CUdevice_attribute:
            result, _ = cu.cuDeviceGetAttribute(attribute, self.device)
            self.assertIn(result, (cu.CUresult.CUDA_SUCCESS, cu.CUresult.CUDA_ERROR_INVALID_VALUE), attribute.name)

    def test_that_do_not_exist_are_refused(self):
        self.assertEqual(cu.cuDeviceGet(CARDS)[0], cu.CUresult.CUDA_ERROR_INVALID_DEVICE)
        self.assertEqual(call(cu.cuGetErrorName, OUT_OF_MEMORY), b"CUDA_ERROR_OUT_OF_MEMORY")

    def test_functions_are_found_by_name_and_version(self):
        address, status = call(cu.cuGetProcAddress, b"cuMemAlloc", 13000, 0)
        self.assertTrue(address)
        self.assertEqual(status, cu.CUdriverProcAddressQueryResult.CU_GET_PROC_ADDRESS_SUCCESS)


class Memory(DriverCase):
    def test_keeps_what_is_written(self):
        data = pattern(3 * MIB + 5)
        pointer = call(cu.cuMemAlloc, data.nbytes)
        self.write(pointer, data)
        self.assert_holds(pointer, data)
        call(cu.cuMemsetD8, pointer, 7, 100)
        data[:100] = 7
        self.assert_holds(pointer, data)
        call(cu.cuMemFree, pointer)
        self.assertEqual(cu.cuMemFree(pointer)[0], cu.CUresult.CUDA_ERROR_INVALID_VALUE)

    def test_ends_at_the_total(self):
        free_before = call(cu.cuMemGetInfo)[0]
        pointers = []
        while (answer := cu.cuMemAlloc(64 * MIB))[0] == cu.CUresult.CUDA_SUCCESS:
            pointers.append(answer[1])
            self.assertLessEqual(len(pointers) * 64 * MIB, free_before)
        self.assertEqual(answer[0], OUT_OF_MEMORY)
        free, total = call(cu.cuMemGetInfo)
        self.assertEqual(total, CARD_BYTES)
        self.assertEqual(free, free_before - len(pointers) * 64 * MIB)
        self.assertLess(free, 64 * MIB)
        self.assertEqual(cu.cuMemAlloc(free + 1)[0], OUT_OF_MEMORY)
        pointers.append(call(cu.cuMemAlloc, free))  # the rest fits, to the byte
        self.assertEqual(call(cu.cuMemGetInfo)[0], 0)
        for pointer in pointers:
            call(cu.cuMemFree, pointer)
        self.assertEqual(call(cu.cuMemGetInfo)[0], free_before)

    def test_of_two_dimensions_is_copied_by_rows(self):
        pointer, pitch = call(cu.cuMemAllocPitch, 100, 20, 4)
        rows = pattern(20 * 100).reshape(20, 100)
        copy = cu.CUDA_MEMCPY2D()
        copy.srcMemoryType, copy.srcHost, copy.srcPitch = cu.CUmemorytype.CU_MEMORYTYPE_HOST, rows.ctypes.data, 100
        copy.dstMemoryType, copy.dstDevice, copy.dstPitch = cu.CUmemorytype.CU_MEMORYTYPE_DEVICE, pointer, pitch
        copy.WidthInBytes, copy.Height = 100, 20
        call(cu.cuMemcpy2D, copy)
        self.assert_holds(int(pointer) + 7 * pitch, rows[7])
        call(cu.cuMemFree, pointer)

    def test_managed_memory_is_the_hosts_too(self):
        pointer = call(cu.cuMemAllocManaged, MIB, cu.CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL)
        data = pattern(MIB)
        ctypes.memmove(int(pointer), data.ctypes.data, MIB)
        self.assert_holds(pointer, data)
        call(cu.cuMemFree, pointer)

    def test_pinned_memory_is_known_as_the_hosts(self):
        pointer = call(cu.cuMemHostAlloc, MIB, cu.CU_MEMHOSTALLOC_DEVICEMAP)
        kind = call(cu.cuPointerGetAttribute, cu.CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, int(pointer))
        self.assertEqual(kind, cu.CUmemorytype.CU_MEMORYTYPE_HOST)
        call(cu.cuMemFreeHost, pointer)

    def test_is_shared_with_another_process(self):
        pointer = call(cu.cuMemAlloc, MIB)
        self.write(pointer, pattern(MIB))
        handle = call(cu.cuIpcGetMemHandle, pointer)
        child = subprocess.run([sys.executable, "-B", "-c", f"import {__name__} as test; test.change_shared_memory()"],
                               input=bytes(handle.reserved), capture_output=True, check=False)
        self.assertEqual(child.returncode, 0, child.stderr.decode())
        self.assert_holds(pointer, pattern(MIB, seed=2))
        call(cu.cuMemFree, pointer)


def change_shared_memory():
    """The other process: finds the first pattern in memory it opens, and leaves the second."""
    call(cu.cuInit, 0)
    call(cu.cuCtxSetCurrent, call(cu.cuDevicePrimaryCtxRetain, call(cu.cuDeviceGet, 0)))
    handle = cu.CUipcMemHandle()
    handle.reserved = sys.stdin.buffer.read()
    pointer = call(cu.cuIpcOpenMemHandle, handle, cu.CUipcMem_flags.CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
    data = numpy.zeros(MIB, dtype=numpy.uint8)
    call(cu.cuMemcpyDtoH, data.ctypes.data, pointer, MIB)
    numpy.testing.assert_array_equal(data, pattern(MIB))
    data = pattern(MIB, seed=2)
    call(cu.cuMemcpyHtoD, pointer, data.ctypes.data, MIB)
    call(cu.cuIpcCloseMemHandle, pointer)


class Pools(DriverCase):
    def test_give_memory_in_stream_order(self):
        stream = call(cu.cuStreamCreate, cu.CUstream_flags.CU_STREAM_NON_BLOCKING)
        pool = call(cu.cuDeviceGetDefaultMemPool, self.device)
        keep = cu.CUmemPool_attribute.CU_MEMPOOL_ATTR_RELEASE_THRESHOLD
        call(cu.cuMemPoolSetAttribute, pool, keep, cu.cuuint64_t(1 << 40))
        pointer = call(cu.cuMemAllocAsync, 8 * MIB, stream)
        data = pattern(8 * MIB)
        call(cu.cuMemcpyHtoDAsync, pointer, data.ctypes.data, data.nbytes, stream)
        call(cu.cuStreamSynchronize, stream)
        self.assert_holds(pointer, data)
        used = cu.CUmemPool_attribute.CU_MEMPOOL_ATTR_USED_MEM_CURRENT
        reserved = cu.CUmemPool_attribute.CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT
        self.assertEqual(int(call(cu.cuMemPoolGetAttribute, pool, used)), 8 * MIB)
        call(cu.cuMemFreeAsync, pointer, stream)
        call(cu.cuStreamSynchronize, stream)
        self.assertEqual(int(call(cu.cuMemPoolGetAttribute, pool, used)), 0)
        self.assertGreaterEqual(int(call(cu.cuMemPoolGetAttribute, pool, reserved)), 8 * MIB)
        call(cu.cuMemPoolTrimTo, pool, 0)
        self.assertEqual(int(call(cu.cuMemPoolGetAttribute, pool, reserved)), 0)
        call(cu.cuStreamDestroy, stream)

    def test_end_at_the_total(self):
        stream = call(cu.cuStreamCreate, 0)
        self.assertEqual(cu.cuMemAllocAsync(CARD_BYTES, stream)[0], OUT_OF_MEMORY)
        call(cu.cuStreamDestroy, stream)


class VirtualMemory(DriverCase):
    def setUp(self):
        super().setUp()
        self.property = cu.CUmemAllocationProp()
        self.property.type = cu.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
        self.property.location.type = cu.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
        self.property.location.id = 0
        minimum = cu.CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_MINIMUM
        self.granularity = call(cu.cuMemGetAllocationGranularity, self.property, minimum)

    def allow(self, address, size):
        access = cu.CUmemAccessDesc()
        access.location = self.property.location
        access.flags = cu.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE
        call(cu.cuMemSetAccess, address, size, [access], 1)

    def test_is_seen_wherever_it_is_mapped(self):
        size = 2 * self.granularity
        handle = call(cu.cuMemCreate, size, self.property, 0)
        address = call(cu.cuMemAddressReserve, 2 * size, 0, 0, 0)
        call(cu.cuMemMap, address, size, 0, handle, 0)
        call(cu.cuMemMap, int(address) + size, size, 0, handle, 0)
        self.allow(address, 2 * size)
        data = pattern(size)
        self.write(address, data)
        self.assert_holds(int(address) + size, data)
        call(cu.cuMemUnmap, address, 2 * size)
        call(cu.cuMemRelease, handle)
        call(cu.cuMemAddressFree, address, 2 * size)

    def test_costs_when_created_and_not_when_reserved(self):
        free_before = call(cu.cuMemGetInfo)[0]
        address = call(cu.cuMemAddressReserve, 4 * CARD_BYTES, 0, 0, 0)
        self.assertEqual(call(cu.cuMemGetInfo)[0], free_before)
        handle = call(cu.cuMemCreate, 10 * self.granularity, self.property, 0)
        self.assertEqual(call(cu.cuMemGetInfo)[0], free_before - 10 * self.granularity)
        self.assertEqual(cu.cuMemCreate(CARD_BYTES, self.property, 0)[0], OUT_OF_MEMORY)
        call(cu.cuMemRelease, handle)
        self.assertEqual(call(cu.cuMemGetInfo)[0], free_before)
        call(cu.cuMemAddressFree, address, 4 * CARD_BYTES)


class Work(DriverCase):
    def kernel(self, name):
        library = call(cu.cuLibraryLoadData, IMAGE, [], [], 0, [], [], 0)
        self.addCleanup(lambda: call(cu.cuLibraryUnload, library))
        return call(cu.cuLibraryGetKernel, library, name)

    def launch(self, function, stream, *arguments):
        call(cu.cuLaunchKernel, function, 1, 1, 1, 32, 1, 1, 0, stream, arguments or 0, 0)

    def test_takes_the_time_of_its_kernels(self):
        stream = call(cu.cuStreamCreate, cu.CUstream_flags.CU_STREAM_NON_BLOCKING)
        start, end = call(cu.cuEventCreate, 0), call(cu.cuEventCreate, 0)
        kernel = self.kernel(b"spin_20ms")
        call(cu.cuEventRecord, start, stream)
        for _ in range(5):
            self.launch(kernel, stream, (1, 2.0), (ctypes.c_int, ctypes.c_float))
        call(cu.cuEventRecord, end, stream)
        self.assertEqual(cu.cuStreamQuery(stream)[0], cu.CUresult.CUDA_ERROR_NOT_READY)
        call(cu.cuStreamSynchronize, stream)
        self.assertAlmostEqual(call(cu.cuEventElapsedTime, start, end), 100, delta=5)

    def test_of_a_module_is_launched_like_that_of_a_library(self):
        module = call(cu.cuModuleLoadData, IMAGE)
        function = call(cu.cuModuleGetFunction, module, b"any_name_10us")
        self.launch(function, NULL_STREAM)
        call(cu.cuCtxSynchronize)
        call(cu.cuModuleUnload, module)

    def test_waits_for_the_events_of_other_streams(self):
        first, second = call(cu.cuStreamCreate, 1), call(cu.cuStreamCreate, 1)
        done = call(cu.cuEventCreate, cu.CUevent_flags.CU_EVENT_DISABLE_TIMING)
        self.launch(self.kernel(b"spin_30ms"), first)
        call(cu.cuEventRecord, done, first)
        call(cu.cuStreamWaitEvent, second, done, 0)
        call(cu.cuStreamSynchronize, second)
        call(cu.cuEventQuery, done)

    def test_captured_in_a_graph_runs_each_time(self):
        stream = call(cu.cuStreamCreate, cu.CUstream_flags.CU_STREAM_NON_BLOCKING)
        source, target = call(cu.cuMemAlloc, MIB), call(cu.cuMemAlloc, MIB)
        call(cu.cuStreamBeginCapture, stream, cu.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)
        self.launch(self.kernel(b"spin_10us"), stream)
        call(cu.cuMemcpyDtoDAsync, target, source, MIB, stream)
        graph = call(cu.cuStreamEndCapture, stream)
        executable = call(cu.cuGraphInstantiate, graph, 0)
        for seed in (3, 4):
            self.write(source, pattern(MIB, seed))
            call(cu.cuGraphLaunch, executable, stream)
            call(cu.cuStreamSynchronize, stream)
            self.assert_holds(target, pattern(MIB, seed))
        call(cu.cuGraphExecDestroy, executable)
        call(cu.cuGraphDestroy, graph)
        for pointer in (source, target):
            call(cu.cuMemFree, pointer)

    def test_of_a_graph_may_allocate(self):
        graph = call(cu.cuGraphCreate, 0)
        parameters = cu.CUDA_MEM_ALLOC_NODE_PARAMS()
        parameters.poolProps.allocType = cu.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
        parameters.poolProps.location.type = cu.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
        parameters.poolProps.location.id = 0
        parameters.bytesize = 4 * MIB
        allocation = call(cu.cuGraphAddMemAllocNode, graph, [], 0, parameters)
        fill = cu.CUDA_MEMSET_NODE_PARAMS()
        fill.dst, fill.value, fill.elementSize, fill.width, fill.height = parameters.dptr, 9, 1, 4 * MIB, 1
        filled = call(cu.cuGraphAddMemsetNode, graph, [allocation], 1, fill, self.context)
        call(cu.cuGraphAddMemFreeNode, graph, [filled], 1, parameters.dptr)
        executable = call(cu.cuGraphInstantiate, graph, 0)
        call(cu.cuGraphLaunch, executable, NULL_STREAM)
        call(cu.cuCtxSynchronize)
        call(cu.cuGraphExecDestroy, executable)
        call(cu.cuGraphDestroy, graph)
        call(cu.cuDeviceGraphMemTrim, self.device)


if __name__ == "__main__":
    unittest.main()

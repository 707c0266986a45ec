"""numba-cuda: its layer over the driver, without the compiler (which is NVIDIA's and not installed here)."""

import multiprocessing
import unittest

import numpy
from numba import cuda
from numba.cuda.cudadrv.driver import CudaAPIError

from expected import CARD_BYTES, CARDS, MIB


class NumbaCase(unittest.TestCase):
    def test_sees_the_machines_cards(self):
        self.assertEqual(len(cuda.gpus), CARDS)
        device = cuda.get_current_device()
        self.assertEqual(device.name, "SimGPU-A100")
        self.assertEqual(device.compute_capability, (8, 0))
        self.assertGreater(device.MULTIPROCESSOR_COUNT, 0)
        self.assertTrue(device.uuid.startswith("GPU-"))
        self.assertEqual(cuda.current_context().get_memory_info().total, CARD_BYTES)

    def test_arrays_keep_their_data(self):
        data = numpy.random.default_rng(1).random((300, 200))
        array = cuda.to_device(data)
        numpy.testing.assert_array_equal(array.copy_to_host(), data)
        numpy.testing.assert_array_equal(array[10:20].copy_to_host(), data[10:20])
        other = cuda.device_array_like(array)
        other.copy_to_device(array)
        numpy.testing.assert_array_equal(other.copy_to_host(), data)

    def test_arrays_are_copied_in_streams_between_events(self):
        data = numpy.arange(MIB, dtype=numpy.float32)
        stream = cuda.stream()
        start, end = cuda.event(), cuda.event()
        start.record(stream)
        with cuda.pinned(data):
            array = cuda.to_device(data, stream=stream)
            back = array.copy_to_host(stream=stream)
            end.record(stream)
            stream.synchronize()
        numpy.testing.assert_array_equal(back, data)
        self.assertGreater(cuda.event_elapsed_time(start, end), 0.3)  # 8 MiB at the simulated card's 25 GB/s

    def test_memory_of_every_kind_is_written(self):
        for make in (cuda.mapped_array, cuda.managed_array, cuda.pinned_array):
            with self.subTest(make.__name__):
                array = make(1000, dtype=numpy.int32)
                array[:] = 7
                self.assertEqual(array.sum(), 7000)

    def test_memory_ends_at_the_total(self):
        context = cuda.current_context()
        context.deallocations.clear()
        free = context.get_memory_info().free
        held = []
        with self.assertRaisesRegex(CudaAPIError, "OUT_OF_MEMORY"):
            while True:
                held.append(cuda.device_array(64 * MIB, dtype=numpy.uint8))
                self.assertLessEqual(len(held) * 64 * MIB, CARD_BYTES)
        self.assertEqual(len(held), free // (64 * MIB))
        held.clear()
        cuda.device_array(64 * MIB, dtype=numpy.uint8)

    def test_memory_is_shared_with_another_process(self):
        array = cuda.to_device(numpy.arange(1000))
        processes = multiprocessing.get_context("spawn")
        child = processes.Process(target=double_shared_array, args=(array.get_ipc_handle(),))
        child.start()
        child.join(60)
        self.assertEqual(child.exitcode, 0)
        numpy.testing.assert_array_equal(array.copy_to_host(), 2 * numpy.arange(1000))

    def test_is_closed_with_memory_still_to_be_freed(self):
        child = multiprocessing.get_context("spawn").Process(target=close_after_use)
        child.start()
        child.join(60)
        self.assertEqual(child.exitcode, 0)


def close_after_use():
    cuda.to_device(numpy.arange(1000))
    cuda.pinned_array(1000)
    cuda.close()


def double_shared_array(handle):
    with handle as array:
        array.copy_to_device(2 * array.copy_to_host())


if __name__ == "__main__":
    unittest.main()

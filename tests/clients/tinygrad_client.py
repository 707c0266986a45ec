"""tinygrad: a framework that needs neither the CUDA runtime nor NVIDIA's compiler; it writes PTX, and graphs node by node."""

import os
import unittest
from unittest import mock

os.environ["DEV"] = "CUDA:PTX"  # read when it is imported

import numpy
from tinygrad import Device, Tensor, TinyJit, dtypes
from tinygrad.runtime.graph.cuda import CUDAGraph

from expected import CARD_BYTES, MIB


def bytes_on_card(count: int) -> Tensor:
    """Memory that nothing is written to."""
    tensor = Tensor.empty(count, dtype=dtypes.uint8)
    tensor.uop.buffer.ensure_allocated()
    return tensor


class TinygradCase(unittest.TestCase):
    def test_runs_on_the_card(self):
        self.assertEqual(Device.DEFAULT, "CUDA")
        self.assertEqual((Tensor.rand(64, 64) @ Tensor.rand(64, 64)).numpy().shape, (64, 64))

    def test_tensors_keep_their_data(self):
        data = numpy.random.default_rng(1).random((300, 200))
        numpy.testing.assert_array_equal(Tensor(data).realize().numpy(), data)

    def test_what_is_done_again_and_again_becomes_a_graph(self):
        @TinyJit
        def step(tensor):
            for _ in range(4):
                tensor = (tensor @ tensor).contiguous()
            return tensor.realize()

        with mock.patch.object(CUDAGraph, "__call__", autospec=True, side_effect=CUDAGraph.__call__) as launch:
            for _ in range(5):
                step(Tensor.rand(32, 32).realize()).numpy()
        self.assertGreaterEqual(launch.call_count, 2)

    def test_memory_ends_at_the_total(self):
        held = []
        with self.assertRaises(MemoryError):
            while True:
                held.append(bytes_on_card(64 * MIB))
                self.assertLessEqual(len(held) * 64 * MIB, CARD_BYTES)
        self.assertGreater(len(held) * 64 * MIB, CARD_BYTES - 512 * MIB)  # a context takes 300 MiB


if __name__ == "__main__":
    unittest.main()

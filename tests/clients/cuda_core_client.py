"""NVIDIA's cuda-core: the driver as Python objects.

Left out: Device.pci_bus_id and Device.sync, for which it turns to the CUDA runtime.
"""

import multiprocessing
import time
import unittest

import numpy
from cuda.core import (Device, DeviceMemoryResource, DeviceMemoryResourceOptions, EventOptions, GraphMemoryResource,
                       LaunchConfig, LegacyPinnedMemoryResource, ManagedMemoryResource, ObjectCode,
                       PinnedMemoryResource, StreamOptions, VirtualMemoryResource, launch)
from cuda.core.graph import GraphBuilder, GraphDefinition
from cuda.core.utils import StridedMemoryView

from expected import CARD_BYTES, CARDS, IMAGE, MIB


class CoreCase(unittest.TestCase):
    def setUp(self):
        self.device = Device(0)
        self.device.set_current()
        self.stream = self.device.create_stream()

    def host_buffer(self, size, value):
        buffer = LegacyPinnedMemoryResource().allocate(size)
        self.bytes_of(buffer)[:] = value
        return buffer

    @staticmethod
    def bytes_of(buffer):
        return numpy.from_dlpack(buffer).view(numpy.uint8)

    def assert_keeps_data(self, buffer):
        source = self.host_buffer(buffer.size, numpy.arange(buffer.size, dtype=numpy.int64) % 251)
        target = self.host_buffer(buffer.size, 0)
        buffer.copy_from(source, stream=self.stream)
        buffer.copy_to(target, stream=self.stream)
        self.stream.sync()
        numpy.testing.assert_array_equal(self.bytes_of(target), self.bytes_of(source))

    @staticmethod
    def kernel(name):
        return ObjectCode.from_cubin(IMAGE).get_kernel(name)


class Devices(CoreCase):
    def test_are_the_machines_cards(self):
        devices = Device.get_all_devices()
        self.assertEqual(len(devices), CARDS)
        self.assertEqual(self.device.name, "SimGPU-A100")
        self.assertEqual(self.device.compute_capability, (8, 0))
        self.assertEqual(self.device.arch, "80")
        self.assertEqual(len({device.uuid for device in devices}), CARDS)

    def test_have_every_property(self):
        properties = self.device.properties
        for name in [name for name in dir(properties) if not name.startswith("_")]:
            with self.subTest(name):
                getattr(properties, name)

    def test_have_a_context(self):
        self.assertEqual(self.device.context, self.stream.context)


class Streams(CoreCase):
    def test_run_kernels_between_events(self):
        options = EventOptions(timing_enabled=True)
        start = self.stream.record(options=options)
        for _ in range(4):
            launch(self.stream, LaunchConfig(grid=2, block=64), self.kernel("spin_25ms"), numpy.int32(1))
        end = self.stream.record(options=options)
        self.assertFalse(end.is_done)
        end.sync()
        self.assertTrue(end.is_done)
        self.assertAlmostEqual(end - start, 100, delta=5)

    def test_wait_for_each_other(self):
        other = self.device.create_stream(options=StreamOptions(priority=-1))
        self.assertEqual(other.priority, -1)
        launch(self.stream, LaunchConfig(grid=1, block=1), self.kernel("spin_20ms"))
        began = time.monotonic()
        other.wait(self.stream)
        other.sync()
        self.assertGreater(time.monotonic() - began, 0.015)

    def test_events_are_shared_with_another_process(self):
        launch(self.stream, LaunchConfig(grid=1, block=1), self.kernel("spin_300ms"))
        event = self.stream.record(options=EventOptions(ipc_enabled=True))
        processes = multiprocessing.get_context("spawn")
        queue = processes.Queue()
        child = processes.Process(target=wait_for_shared_event, args=(queue,))
        child.start()
        queue.put(event)
        child.join(60)
        self.assertEqual(child.exitcode, 0)
        self.assertTrue(event.is_done)

    def test_of_default_take_work(self):
        launch(self.device.default_stream, LaunchConfig(grid=1, block=1), self.kernel("spin_10us"))
        self.device.default_stream.sync()

    def test_kernels_have_attributes_and_occupancy(self):
        kernel = self.kernel("any_name")
        self.assertGreater(kernel.attributes.max_threads_per_block, 0)
        self.assertGreater(kernel.occupancy.max_active_blocks_per_multiprocessor(256, 0), 0)


def wait_for_shared_event(queue):
    Device(0).set_current()
    event = queue.get()
    event.sync()
    assert event.is_done


class Memory(CoreCase):
    def test_of_the_default_pool_keeps_data(self):
        with self.device.allocate(3 * MIB, stream=self.stream) as buffer:
            self.assertTrue(buffer.is_device_accessible)
            self.assertFalse(buffer.is_host_accessible)
            self.assertEqual(buffer.device_id, 0)
            self.assert_keeps_data(buffer)

    def test_of_a_pool_of_ones_own_keeps_data(self):
        resource = DeviceMemoryResource(self.device, DeviceMemoryResourceOptions(max_size=64 * MIB))
        buffer = resource.allocate(MIB, stream=self.stream)
        self.assert_keeps_data(buffer)
        self.assertEqual(resource.attributes.used_mem_current, MIB)
        buffer.close(self.stream)
        self.stream.sync()
        self.assertEqual(resource.attributes.used_mem_current, 0)

    def test_that_is_virtual_keeps_data(self):
        buffer = VirtualMemoryResource(self.device).allocate(3 * MIB)
        self.assertGreaterEqual(buffer.size, 3 * MIB)
        self.assert_keeps_data(buffer)
        buffer.close()

    def test_of_managed_and_of_host_pools_is_refused(self):
        for resource in (ManagedMemoryResource, PinnedMemoryResource):
            with self.subTest(resource.__name__), self.assertRaisesRegex(Exception, "(?i)not.supported"):
                resource()

    def test_is_filled(self):
        buffer = self.device.allocate(MIB, stream=self.stream)
        buffer.fill(0x5A, stream=self.stream)
        target = self.host_buffer(MIB, 0)
        buffer.copy_to(target, stream=self.stream)
        self.stream.sync()
        self.assertTrue((self.bytes_of(target) == 0x5A).all())
        buffer.close(self.stream)

    def test_ends_at_the_total(self):
        resource = DeviceMemoryResource(self.device, DeviceMemoryResourceOptions())
        held = []
        with self.assertRaisesRegex(Exception, "OUT_OF_MEMORY"):
            while True:
                held.append(resource.allocate(256 * MIB, stream=self.stream))
                self.assertLessEqual(len(held) * 256 * MIB, CARD_BYTES)
        self.assertGreaterEqual(len(held) * 256 * MIB, CARD_BYTES - 1024 * MIB)  # contexts and modules take the rest
        for buffer in held:
            buffer.close(self.stream)
        self.stream.sync()
        resource.close()

    @unittest.skipIf(CARDS < 2, "needs two cards")
    def test_is_copied_to_another_card(self):
        buffer = self.device.allocate(MIB, stream=self.stream)
        buffer.fill(9, stream=self.stream)
        self.stream.sync()
        other = Device(1)
        self.assertTrue(self.device.can_access_peer(other))
        other.set_current()
        stream = other.create_stream()
        copy = other.allocate(MIB, stream=stream)
        copy.copy_from(buffer, stream=stream)
        stream.sync()
        self.device.set_current()
        target = self.host_buffer(MIB, 0)
        copy.copy_to(target, stream=self.stream)
        self.stream.sync()
        self.assertTrue((self.bytes_of(target) == 9).all())

    def test_is_viewed_without_a_copy(self):
        buffer = self.device.allocate(4096, stream=self.stream)
        view = StridedMemoryView.from_dlpack(buffer, stream_ptr=-1)
        self.assertEqual(view.ptr, int(buffer.handle))
        self.assertTrue(view.is_device_accessible)
        buffer.close(self.stream)

    def test_is_shared_with_another_process(self):
        multiprocessing.set_start_method("spawn", force=True)
        resource = DeviceMemoryResource(self.device, DeviceMemoryResourceOptions(max_size=64 * MIB, ipc_enabled=True))
        buffer = resource.allocate(MIB, stream=self.stream)
        buffer.fill(1, stream=self.stream)
        self.stream.sync()
        child = multiprocessing.Process(target=change_shared_buffer, args=(resource, buffer))
        child.start()
        child.join(60)
        self.assertEqual(child.exitcode, 0)
        target = self.host_buffer(MIB, 0)
        buffer.copy_to(target, stream=self.stream)
        self.stream.sync()
        self.assertTrue((self.bytes_of(target) == 2).all())


def change_shared_buffer(_, buffer):
    """The other process: finds ones in memory it was sent, and leaves twos."""
    device = Device(0)
    device.set_current()
    stream = device.create_stream()
    target = LegacyPinnedMemoryResource().allocate(buffer.size)
    buffer.copy_to(target, stream=stream)
    stream.sync()
    assert (numpy.from_dlpack(target).view(numpy.uint8) == 1).all()
    buffer.fill(2, stream=stream)
    stream.sync()


class Graphs(CoreCase):
    def test_that_were_captured_run_each_time(self):
        source = self.host_buffer(MIB, 3)
        buffer = self.device.allocate(MIB, stream=self.stream)
        target = self.host_buffer(MIB, 0)
        self.stream.sync()
        builder = self.device.create_graph_builder().begin_building()
        buffer.copy_from(source, stream=builder)
        launch(builder, LaunchConfig(grid=1, block=1), self.kernel("spin_10us"))
        buffer.copy_to(target, stream=builder)
        graph = builder.end_building().complete()
        for value in (3, 4):
            self.bytes_of(source)[:] = value
            graph.launch(self.stream)
            self.stream.sync()
            self.assertTrue((self.bytes_of(target) == value).all())
        buffer.close(self.stream)

    def test_that_were_defined_run(self):
        buffer = self.device.allocate(MIB, stream=self.stream)
        self.stream.sync()
        definition = GraphDefinition()
        definition.memset(buffer, 8, MIB).launch(LaunchConfig(grid=1, block=1), self.kernel("spin_10us"))
        self.assertEqual(len(definition.nodes()), 2)
        definition.instantiate().launch(self.stream)
        target = self.host_buffer(MIB, 0)
        buffer.copy_to(target, stream=self.stream)
        self.stream.sync()
        self.assertTrue((self.bytes_of(target) == 8).all())
        buffer.close(self.stream)

    def chain(self, called, name):
        """A graph of four kernels, two of them side by side, and a call of the host at the end; not complete yet."""
        def run(builder, kernel):
            launch(builder, LaunchConfig(grid=1, block=1), self.kernel(kernel))
        builder = self.device.create_graph_builder().begin_building()
        run(builder, "first_10us")
        branches = builder.split(2)
        for branch in branches:
            run(branch, "side_10us")
        builder = GraphBuilder.join(*branches)
        run(builder, "last_10us")
        builder.callback(lambda: called.append(name))
        return builder.end_building()

    def test_branches_join_and_graphs_are_updated(self):
        called = []
        graph = self.chain(called, "first").complete()
        graph.upload(self.stream)
        graph.launch(self.stream)
        self.stream.sync()
        graph.update(self.chain(called, "second"))
        graph.launch(self.stream)
        self.stream.sync()
        self.assertEqual(called, ["first", "second"])

    def test_conditions_choose_by_their_default(self):
        builder = self.device.create_graph_builder().begin_building()
        for body in builder.switch(builder.create_condition(default_value=1), 3):
            body.begin_building()
            launch(body, LaunchConfig(grid=1, block=1), self.kernel("body_20ms"))
            body.end_building()
        graph = builder.end_building().complete()
        began = time.monotonic()
        graph.launch(self.stream)
        self.stream.sync()
        self.assertGreater(time.monotonic() - began, 0.015)

    def test_may_allocate(self):
        resource = GraphMemoryResource(self.device)
        target = self.host_buffer(MIB, 0)
        builder = self.device.create_graph_builder().begin_building()
        buffer = resource.allocate(MIB, stream=builder)
        buffer.fill(6, stream=builder)
        buffer.copy_to(target, stream=builder)
        buffer.close(builder)
        graph = builder.end_building().complete()
        graph.launch(self.stream)
        self.stream.sync()
        self.assertTrue((self.bytes_of(target) == 6).all())


if __name__ == "__main__":
    unittest.main()

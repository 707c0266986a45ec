#!/usr/bin/env python3
"""What of the test cluster shows without root and without building it: messages, image files, cgroup bookkeeping."""

import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

from lab import cgroups, daemons, host, images, layout, node_rooms, teardown, toolbox
from lab.layout import Failure, State

CLUSTER = pathlib.Path(__file__).resolve().parent / "cluster"


class InAFolder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.state = State(self.folder / "cluster")

    def program(self, name, text):
        path = self.folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path


class WhatIsMissing(InAFolder):
    def build(self, path):
        return subprocess.run([sys.executable, CLUSTER, "build"], capture_output=True, text=True,
                              env={"PATH": path, "XDG_CACHE_HOME": str(self.folder), "HOME": str(self.folder)})

    def test_without_go_the_message_names_go_and_its_version(self):
        done = self.build(str(self.folder))
        self.assertEqual(done.returncode, 1)
        self.assertIn("put Go 1.26 or later on PATH", done.stderr)

    def test_a_go_that_is_too_old_is_named(self):
        self.program("go", "echo go1.19.8")
        done = self.build(f"{self.folder}/bin:/usr/bin:/bin")
        self.assertEqual(done.returncode, 1)
        self.assertIn("go1.19.8", done.stderr)
        self.assertIn("1.26", done.stderr)

    def test_missing_programs_are_named_by_their_packages(self):
        with mock.patch.object(host, "SEARCH", "/nowhere"), self.assertRaises(Failure) as raised:
            host.require()
        for package in ("runc", "iproute2", "iptables", "busybox-static", "run tools/dev deps"):
            self.assertIn(package, str(raised.exception))

    def test_a_machine_without_go_is_told_before_anything_is_made(self):
        with mock.patch.dict(os.environ, {"XDG_CACHE_HOME": str(self.folder), "PATH": "/nowhere"}), \
                self.assertRaises(Failure) as raised:
            self.assertTrue(toolbox.missing(with_fake_nodes=False))
            toolbox.require_go()
        self.assertIn("put Go 1.26 or later on PATH", str(raised.exception))
        self.assertFalse((self.folder / "warpshare").exists())

    def test_kwok_is_wanted_only_for_fake_nodes(self):
        with mock.patch.dict(os.environ, {"XDG_CACHE_HOME": str(self.folder)}):
            self.assertNotIn(toolbox.KWOK, toolbox.missing(with_fake_nodes=False))
            self.assertIn(toolbox.KWOK, toolbox.missing(with_fake_nodes=True))

    def test_a_program_has_the_name_that_go_gives_it(self):
        self.assertEqual(toolbox.built_name("k8s.io/kubernetes/cmd/kubelet"), "kubelet")
        self.assertEqual(toolbox.built_name("go.etcd.io/etcd/server/v3"), "server")

    def test_a_pinned_version_is_read_from_each_module(self):
        versions = {project.folder: toolbox.version(project) for project in toolbox.PROJECTS}
        self.assertEqual({name: version[:2] for name, version in versions.items()},
                         {"kubernetes": "v1", "containerd": "v2", "etcd": "v3", "kwok": "v0"})


class Images(InAFolder):
    def test_names_are_those_that_the_kubelet_asks_containerd_for(self):
        self.assertEqual(images.image_name("test"), "docker.io/library/test:latest")
        self.assertEqual(images.image_name("me/test:1"), "docker.io/me/test:1")
        self.assertEqual(images.image_name("warpshare.test/test:1"), "warpshare.test/test:1")
        self.assertEqual(images.image_name("localhost/test:1"), "localhost/test:1")

    def test_an_image_holds_the_folder_as_root(self):
        (self.folder / "root/etc").mkdir(parents=True)
        (self.folder / "root/etc/greeting").write_text("hello")
        images.write_image("test:1", self.folder / "root", ["/bin/sh"], self.folder / "image.tar")
        with tarfile.open(self.folder / "image.tar") as whole:
            manifest = json.load(whole.extractfile("manifest.json"))
            config = json.load(whole.extractfile("config.json"))
            with tarfile.open(fileobj=whole.extractfile("layer.tar")) as layer:
                greeting = layer.getmember("etc/greeting")
                self.assertEqual(layer.extractfile(greeting).read(), b"hello")
        self.assertEqual((greeting.uid, greeting.uname), (0, "root"))
        self.assertEqual(manifest[0]["RepoTags"], ["docker.io/library/test:1"])
        self.assertEqual(config["config"]["Entrypoint"], ["/bin/sh"])

    def test_a_program_brings_the_libraries_it_is_linked_with(self):
        images.add_program(self.folder / "root", f"{sys.executable}=/bin/python3")
        found = {path.name for path in (self.folder / "root").rglob("*") if path.is_file()}
        self.assertIn("python3", found)
        self.assertIn("libc.so.6", found)


class Bookkeeping(InAFolder):
    def test_a_name_without_a_value_in_a_template_is_an_error(self):
        with self.assertRaises(KeyError):
            layout.filled_text("@NOBODY_KNOWS@")

    def test_down_without_a_cluster_is_quiet(self):
        teardown.down(self.state)

    def make_cluster_folder(self):
        self.state.folder.mkdir()
        self.state.mark.touch()

    def test_down_removes_no_folder_that_is_not_a_clusters(self):
        (self.state.folder / "photographs").mkdir(parents=True)
        with self.assertRaises(Failure):
            teardown.down(self.state)
        self.assertTrue((self.state.folder / "photographs").is_dir())

    def left_by_down(self, living_clusters):
        self.make_cluster_folder()
        for name in ("empty", "used"):
            (self.folder / name).mkdir()
        (self.folder / "used/file").touch()
        self.state.made_folders.write_text(f"{self.folder}/empty\n{self.folder}/used\n{self.folder}/never-made\n")
        with mock.patch.object(daemons, "living_clusters", lambda: living_clusters):
            teardown.down(self.state)
        return sorted(path.name for path in self.folder.iterdir())

    def test_down_removes_only_empty_folders_of_those_it_made(self):
        self.assertEqual(self.left_by_down([]), ["used"])

    def test_down_leaves_mount_points_that_another_cluster_may_use(self):
        self.assertEqual(self.left_by_down([State(self.folder / "other")]), ["empty", "used"])

    def test_mount_points_that_another_living_cluster_made_are_noted_too(self):
        other = State(self.folder / "other")
        for state in (self.state, other):
            state.folder.mkdir()
        (self.folder / "made").mkdir()
        other.made_folders.write_text(f"{self.folder}/made\n")
        with mock.patch.object(daemons, "living_clusters", lambda: [other]), \
                mock.patch.object(node_rooms, "ON_DISK", (f"{self.folder}/made", f"{self.folder}/new")):
            node_rooms.make_mount_points(self.state)
        self.assertEqual(self.state.made_folders.read_text().split(), [f"{self.folder}/made", f"{self.folder}/new"])
        self.assertTrue((self.folder / "new").is_dir())

    def test_a_record_of_another_process_with_the_same_pid_ends_nobody(self):
        self.make_cluster_folder()
        record = {"pid": os.getpid(), "start_time": 1, "pid_namespace": os.readlink("/proc/self/ns/pid")}
        self.state.supervisor_record.write_text(json.dumps(record))
        teardown.down(self.state)

    def test_controllers_that_a_machine_did_not_hand_down_are_taken_back(self):
        top, written = self.folder / "cgroup", []
        top.mkdir()
        self.state.folder.mkdir()
        (top / "cgroup.controllers").write_text("cpu cpuset memory pids\n")
        (top / "cgroup.subtree_control").write_text("cpu memory pids\n")
        with mock.patch.object(pathlib.Path, "write_text", lambda path, text: written.append((path.name, text))):
            cgroups._hand_down(top, self.state)
            cgroups._take_back(self.state)
        self.assertEqual(written, [("cgroup.subtree_control", "+cpuset"), ("cgroup.subtree_control", "-cpuset")])


if __name__ == "__main__":
    unittest.main()

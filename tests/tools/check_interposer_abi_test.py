"""Builds small libraries with one fault each, so that the readelf parsing is proven on real output."""

import pathlib
import subprocess
import tempfile
import unittest

import tool

check_interposer_abi = tool.load("check_interposer_abi")
# Calls one libc function, so that the linker records libc.so.6.
GOOD = 'int getpid(void); __attribute__((visibility("default"))) int cuInit(unsigned f) { return f + getpid(); }\n'


class CheckInterposerAbi(unittest.TestCase):
    def breaches(self, source: str, *flags: str, expected=frozenset({"cuInit"})) -> list[str]:
        with tempfile.TemporaryDirectory() as name:
            library = pathlib.Path(name) / "libcuda.so.1"
            subprocess.run(["gcc", "-shared", "-fPIC", "-nostartfiles", "-fvisibility=hidden", "-x", "c", "-", "-o", str(library),
                            *(flags or ["-Wl,-soname,libcuda.so.1"])], input=source, text=True, check=True)
            return list(check_interposer_abi.breaches(check_interposer_abi.read_library(library), set(expected)))

    def test_a_plain_guest_passes(self):
        self.assertEqual(self.breaches(GOOD), [])

    def test_an_export_without_a_row_and_a_row_without_an_export_are_found(self):
        self.assertEqual(len(self.breaches(GOOD, expected={"cuInit", "cuMemAlloc"})), 1)
        self.assertEqual(len(self.breaches(GOOD, expected=set())), 1)

    def test_a_second_dependency_is_found(self):
        flags = ["-Wl,-soname,libcuda.so.1", "-Wl,--no-as-needed", "-lm"]
        self.assertIn("libm.so.6", self.breaches(GOOD, *flags)[0])

    def test_another_soname_is_found(self):
        self.assertIn("SONAME", self.breaches(GOOD, "-Wl,-soname,libother.so")[0])

    def test_a_constructor_is_found(self):
        self.assertIn("constructor", self.breaches(GOOD + "__attribute__((constructor)) static void Start(void) {}\n")[0])

    def test_an_executable_stack_is_found(self):
        flags = ["-Wl,-soname,libcuda.so.1", "-z", "execstack"]
        self.assertIn("executable stack", self.breaches(GOOD, *flags)[0])

    def test_a_symbol_newer_than_the_floor_is_found(self):
        # getrandom came with glibc 2.25.
        source = GOOD.replace("getpid", "getrandom")
        self.assertIn("getrandom@GLIBC_2.25", self.breaches(source)[0])


if __name__ == "__main__":
    unittest.main()

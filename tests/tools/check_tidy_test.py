import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock

import tool

check_tidy = tool.load("check_tidy")


@unittest.skipUnless(shutil.which("clang-tidy-19"), "no clang-tidy-19 here")
class CheckTidy(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name).resolve()
        self.build = self.root / "build"
        (self.root / "src").mkdir()
        self.build.mkdir()
        shutil.copy(tool.TOOLS.parent / ".clang-tidy", self.root)
        source = self.root / "src/a.cc"
        entry = {"file": str(source), "directory": str(self.build), "command": f"g++ -c {source} -o a.o"}
        (self.build / "compile_commands.json").write_text(json.dumps([entry]))

    def passes(self, text: str) -> bool:
        (self.root / "src/a.cc").write_text(text)
        return check_tidy.main(self.root, self.build, []) == 0

    def test_a_breach_fails_every_time_until_it_is_mended(self):
        self.assertFalse(self.passes("int badly_named() { return 0; }\nclass snake_case {};\n"))
        self.assertFalse(self.passes("int badly_named() { return 0; }\nclass snake_case {};\n"))
        self.assertTrue(self.passes("class CamelCase {};\n"))

    def test_a_file_that_passed_is_not_read_again_until_it_changes(self):
        self.assertTrue(self.passes("class CamelCase {};\n"))
        with unittest.mock.patch.object(check_tidy, "TIDY", ["false"]):
            self.assertTrue(self.passes("class CamelCase {};\n"))
            self.assertFalse(self.passes("class CamelCase {};\nint x;\n"))

    def test_a_file_is_read_again_when_a_header_of_it_changes(self):
        header = self.root / "src/a.h"
        header.write_text("class CamelCase {};\n")
        self.assertTrue(self.passes('#include "a.h"\n'))
        (self.build / "build.ninja").write_text(
            f"rule compile\n deps = gcc\n depfile = a.d\n command = g++ -MD -MF a.d -c $in -o $out\nbuild a.o: compile {self.root}/src/a.cc\n")
        subprocess.run(["ninja", "-C", self.build], check=True, stdout=subprocess.DEVNULL)
        self.assertTrue(self.passes('#include "a.h"\n'))
        header.write_text("class snake_case {};\n")
        self.assertFalse(self.passes('#include "a.h"\n'))

    def test_what_only_a_precompiled_header_includes_is_missed(self):
        (self.build / "cmake_pch.hxx").write_text("#include <cstdint>\n")
        commands = self.build / "compile_commands.json"
        commands.write_text(commands.read_text().replace("g++ -c", f"g++ -Winvalid-pch -include {self.build}/cmake_pch.hxx -c"))
        self.assertFalse(self.passes("std::int32_t x;\n"))
        self.assertTrue(self.passes("#include <cstdint>\nstd::int32_t x;\n"))


if __name__ == "__main__":
    unittest.main()

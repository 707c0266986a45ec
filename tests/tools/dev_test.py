#!/usr/bin/env python3
"""`tools/dev test`: which stages run, and what the last lines say."""

import ast
import pathlib
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SCRIPTS = HERE.parents[1] / "tools/dev.d"
E2E = HERE.parents[1] / "tests/e2e"
COUNT = "100% tests passed, 0 tests failed out of 7"
STAGE = f"""#!/bin/sh
echo "$1 $2" >>stages
mkdir -p build/$2
if [ "$2" = "$FAILS" ]; then cp failure build/$2/ctest.log; exit 1; fi
echo "{COUNT}" >build/$2/ctest.log
"""
FAILURE = """
[ RUN      ] LedgerTest.Keeps
src/ledger/room_test.cc:12: Failure
Expected equality of these values:

86% tests passed, 1 tests failed out of 7

The following tests FAILED:
\t 56 - ledger_room_test (Failed)
Errors while running CTest
"""


class TestStages(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.program("tools/dev", STAGE)
        (self.root / "failure").write_text(FAILURE)

    def program(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def run_it(self, cluster, fails="", words=("all",)):
        """Its exit status, last lines and stages."""
        self.program("tests/cluster/cluster", f"#!/bin/sh\n{cluster}\n")
        self.program("ninja", "#!/bin/sh\necho compiled >compiled\n")
        script = (f"set -euo pipefail; root=$PWD; jobs=1; source {SCRIPTS}/shell.sh; source {SCRIPTS}/e2e.sh; source {SCRIPTS}/test.sh; "
                  f"dev_test {' '.join(words)}")
        done = subprocess.run(["bash", "-c", script], cwd=self.root, capture_output=True, text=True, env={
            "PATH": f"{self.root}:/usr/bin:/bin", "FAILS": fails})
        stages = [line.removeprefix("test ") for line in (self.root / "stages").read_text().splitlines()]
        return done.returncode, done.stdout.splitlines(), stages

    def test_by_itself_it_runs_the_end_to_end_tests_while_it_compiles_and_the_release_ones(self):
        status, lines, stages = self.run_it("exit 0", words=())
        self.assertEqual((status, stages), (0, ["build release", "e2e", "release"]))
        self.assertTrue((self.root / "compiled").exists())
        self.assertEqual(lines, ["", COUNT])

    def test_by_itself_it_runs_the_release_tests_where_there_can_be_no_cluster(self):
        status, lines, stages = self.run_it("echo 'tools/dev cluster: no Go here: put Go on PATH' >&2; exit 1", words=())
        self.assertEqual((status, stages), (0, ["release"]))
        self.assertEqual(lines[-2:], ["NOT RUN: tools/dev test e2e: no Go here: put Go on PATH", COUNT])

    def test_products_that_do_not_compile_are_no_reason_to_leave_out_what_says_so(self):
        status, lines, stages = self.run_it("exit 0", fails="release", words=())
        self.assertEqual((status, stages), (1, ["build release", "release"]))
        self.assertIn("FAILED: tools/dev test e2e", lines)
        self.assertIn("FAILED: tools/dev test release", lines)

    def test_the_end_to_end_tests_come_last_and_the_count_of_the_release_tests_is_the_last_line(self):
        status, lines, stages = self.run_it("exit 0")
        self.assertEqual((status, stages), (0, ["release", "lean", "asan", "tsan", "fuzz", "e2e"]))
        self.assertEqual(lines, ["", COUNT])

    def test_what_a_machine_lacks_for_them_is_said_in_the_last_lines(self):
        status, lines, stages = self.run_it("echo 'tools/dev cluster: no Go here: put Go on PATH' >&2; exit 1")
        self.assertEqual((status, stages), (0, ["release", "lean", "asan", "tsan", "fuzz"]))
        self.assertEqual(lines[-2:], ["NOT RUN: tools/dev test e2e: no Go here: put Go on PATH", COUNT])

    def test_a_stage_that_fails_is_named_and_the_others_run(self):
        status, lines, stages = self.run_it("exit 0", fails="asan")
        self.assertEqual((status, stages), (1, ["release", "lean", "asan", "tsan", "fuzz", "e2e"]))
        self.assertEqual(lines[1], "FAILED: tools/dev test asan")
        self.assertEqual(lines[-1], COUNT)

    def test_of_what_failed_the_tests_are_named_and_what_they_said_is_shown(self):
        _, lines, _ = self.run_it("exit 0", fails="release")
        self.assertIn("\t 56 - ledger_room_test (Failed)", lines)
        self.assertIn("src/ledger/room_test.cc:12: Failure", lines)
        self.assertEqual(lines[-1], "86% tests passed, 1 tests failed out of 7")

    def test_an_earlier_runs_count_is_not_given_for_this_one(self):
        (self.root / "build/release").mkdir(parents=True)
        (self.root / "build/release/ctest.log").write_text(COUNT)
        (self.root / "failure").unlink()
        _, lines, _ = self.run_it("exit 0", fails="release")
        self.assertEqual(lines, ["", "FAILED: tools/dev test release"])


class TheShortRun(unittest.TestCase):
    """It is a list of names, and unittest would take a name that is not there for a failure minutes later."""

    def test_each_of_its_tests_is_there(self):
        names = [line for line in (E2E / "short-run.txt").read_text().splitlines() if not line.startswith("#")]
        self.assertTrue(names)
        for name in names:
            with self.subTest(name):
                module, case, *method = name.split(".")
                classes = {node.name: node for node in ast.parse((E2E / f"{module}.py").read_text()).body if isinstance(node, ast.ClassDef)}
                self.assertLessEqual(set(method), {node.name for node in classes[case].body if isinstance(node, ast.FunctionDef)})

    def test_it_has_some_of_what_deploy_installs(self):
        self.assertIn("\ninstall/manifests_test.", (E2E / "short-run.txt").read_text())


if __name__ == "__main__":
    unittest.main()

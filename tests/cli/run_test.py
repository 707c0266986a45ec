"""warpshare run: what a program gets, what comes back, what is left."""

import json
import os
import subprocess
import sys
import unittest

from cli_case import BUILD, GIB, HOLD, MIB, WARPSHARE, CliCase

SHOW = "import json, os; print(json.dumps(dict(os.environ)))"


class Run(CliCase):
    def variables(self, *options, **more):
        return json.loads(self.run_in_tenant(sys.executable, "-c", SHOW, options=options, **more).stdout)

    def uuids(self, *options, **more):
        """Of the cards that a program sees, in its order."""
        said = self.run_in_tenant("simgpu-smi", "--query-gpu=uuid", "--format=csv,noheader", options=options, **more)
        return said.stdout.split()

    def test_the_exit_code_is_the_programs(self):
        for code in (0, 1, 2, 77, 255):
            self.assertEqual(self.run_in_tenant("sh", "-c", f"exit {code}").returncode, code)

    def test_a_signal_shows_as_in_a_shell(self):
        for signal in (9, 15, 11):
            self.assertEqual(self.run_in_tenant("sh", "-c", f"kill -{signal} $$").returncode, 128 + signal)

    def test_what_cannot_be_run(self):
        self.assert_fails(self.run_in_tenant("no-such-program-here"), 127, "'no-such-program-here'", "PATH")
        self.assert_fails(self.run_in_tenant("/etc/passwd"), 126, "'/etc/passwd'")
        self.assertEqual(self.folders(), [])

    def test_streams_and_arguments_pass_through(self):
        said = self.run_in_tenant("sh", "-c", "cat; echo \"$@\"; echo err >&2", "sh", "a b", "--memory", "--", "-x",
                                  input="in\n")
        self.assertEqual((said.stdout, said.stderr), ("in\na b --memory -- -x\n", "err\n"))

    def test_the_environment_makes_a_tenant(self):
        seen = self.variables("--name", "train", environment={"LD_LIBRARY_PATH": "/somewhere"})
        self.assertEqual(seen["LD_LIBRARY_PATH"], f"{BUILD}/lib/warpshare:/somewhere")
        self.assertEqual(seen["WARPSHARE_DRIVER_DIR"], f"{BUILD}/lib/simgpu")
        self.assertTrue(seen["WARPSHARE_TENANT_DIR"].startswith(f"{self.state}/tenants/train/"))
        self.assertEqual(seen["CUDA_DEVICE_ORDER"], "PCI_BUS_ID")
        self.assertNotIn("LD_PRELOAD", seen)

    def test_preload_is_asked_for(self):
        seen = self.variables("--preload", environment={"LD_PRELOAD": ""})
        self.assertEqual(seen["LD_PRELOAD"], f"{BUILD}/lib/warpshare/libcuda.so.1:"
                                             f"{BUILD}/lib/warpshare/libnvidia-ml.so.1")

    def test_cards_are_those_named_or_those_visible(self):
        both = self.uuids()
        self.assertEqual(len(both), 2)
        self.assertEqual(self.uuids("--gpu", "1"), [both[1]])
        self.assertEqual(self.uuids("--gpu", both[1], "--gpu", "0"), [both[1], both[0]])
        self.assertEqual(self.uuids(environment={"CUDA_VISIBLE_DEVICES": "1,0"}), [both[1], both[0]])
        self.assert_fails(self.run_in_tenant("true", environment={"CUDA_VISIBLE_DEVICES": ""}), 2,
                          "CUDA_VISIBLE_DEVICES", "--gpu")

    def test_what_chose_the_cards_does_not_choose_among_them_again(self):
        for visible in ("1", self.uuids()[1]):
            chosen = self.variables("--gpu", "1", environment={"CUDA_VISIBLE_DEVICES": visible})
            self.assertNotIn("CUDA_VISIBLE_DEVICES", chosen)

    def test_indices_that_cuda_would_count_in_another_order(self):
        scenario = os.path.join(self.folder, "two-models")
        with open(scenario, "w") as file:
            file.write("cards = 2\n[card 1]\nname = SimGPU-Large\n")
        models = {"SIMGPU_SCENARIO": scenario, "CUDA_VISIBLE_DEVICES": "1"}
        said = self.run_in_tenant("true", environment=models)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertRegex(said.stderr, r"warning: CUDA_VISIBLE_DEVICES .* 1 \(SimGPU-Large\): .*--gpu")
        for clear in ({"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}, {"CUDA_VISIBLE_DEVICES": "GPU-"}, {"SIMGPU_SCENARIO": ""}):
            self.assertNotIn("warning", self.run_in_tenant("true", environment={**models, **clear}).stderr)

    def test_a_card_that_cannot_be_read_stops_nobody_else(self):
        broken = self.driver_with_a_lost_card()
        fine = self.warpshare("run", "--gpu", "0", "--memory", "512MiB", "--", "true", environment=broken)
        self.assertEqual(fine.returncode, 0, fine.stderr)
        self.assertEqual(fine.stderr, "warpshare: warning: cannot read card 1: the driver says 'GPU is lost': "
                                      "it is left out: run: warpshare doctor\n")
        self.assert_fails(self.warpshare("run", "--gpu", "1", "--", "true", environment=broken), 1,
                          "cannot read card 1: the driver says 'GPU is lost'")

    def test_the_first_file_of_a_program_is_still_3(self):
        said = self.run_in_tenant(sys.executable, "-c", "import os; print(os.open('/dev/null', os.O_RDONLY))",
                                  close_fds=True)
        self.assertEqual(said.stdout, "3\n")

    def test_no_tenant_inside_of_a_tenant(self):
        inner = self.run_in_tenant(str(BUILD / "bin/warpshare"), "run", "--sim", "--", "true")
        self.assert_fails(inner, 1, "inside of a tenant")

    def test_nothing_is_left_after_it(self):
        self.assertEqual(self.run_in_tenant("true").returncode, 0)
        self.assertEqual(self.folders(), [])

    def test_a_generated_name_is_told_apart(self):
        first, second = self.tenant(), self.tenant()
        self.assertNotEqual(first.run.pid, second.run.pid)
        self.assertEqual(len(self.tenants()), 2)
        self.assertIn(f"run-{first.run.pid}-", " ".join(self.tenants()))

    def test_memory_is_held_to_the_byte(self):
        tenant = self.tenant("--name", "a", "--gpu", "0", "--memory", "1GiB")
        filled = tenant.number("fill")
        self.assertEqual(tenant.tell("look"), f"sees 0 of {GIB}")
        card = self.card("a")
        self.assertEqual((card["used_bytes"], card["limit_bytes"]), (GIB, GIB))
        self.assertGreaterEqual(card["refusals"], 1)
        self.assertLess(filled, GIB, "a context costs memory too")
        self.assertGreater(filled, GIB - 200 * MIB)

    def test_a_share_is_of_the_card(self):
        self.assertEqual(self.tenant("--memory", "25%").tell("look").split()[-1], str(10 * GIB))

    def test_without_a_limit_the_figures_are_the_cards(self):
        self.assertEqual(self.tenant("--name", "free").tell("look").split()[-1], str(40 * GIB))
        self.assertIsNone(self.card("free")["limit_bytes"])

    def test_tenants_do_not_touch_each_other(self):
        one = self.tenant("--gpu", "0", "--memory", "1GiB")
        two = self.tenant("--gpu", "0", "--memory", "2GiB")
        one.tell("fill")
        self.assertEqual(two.tell(f"take {GIB}"), "taken")
        self.assertEqual(one.tell("take 1"), "refused")
        self.assertEqual((one.tell("check"), two.tell("check")), ("intact", "intact"))

    @unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
    def test_a_program_that_gave_up_root_reaches_its_tenant(self):
        script = ("import os, sys; path = os.environ['WARPSHARE_TENANT_DIR']; os.setuid(65534);"
                  "open(path + '/limits').close(); open(path + '/usage', 'r+').close();"
                  "sys.exit(os.access(path + '/limits', os.W_OK) or os.access(os.path.dirname(path), os.R_OK))")
        os.chmod(self.folder, 0o711)
        said = self.run_in_tenant(sys.executable, "-c", script)
        self.assertEqual(said.returncode, 0, said.stderr)

    def test_a_state_folder_that_is_full_is_named(self):
        self.run_in_tenant("true")  # makes the simulated machine
        script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" run --sim --memory 1GiB -- true"
        said = self.run_program("sh", "-c", script, WARPSHARE)
        self.assert_fails(said, 1, self.state, "cannot write", "make room there, or set WARPSHARE_STATE_DIR")
        self.assertEqual(self.folders(), [])

    def test_more_cards_than_a_tenant_can_have(self):
        said = self.run_in_tenant("true", environment={"SIMGPU_CARDS": "17"})
        self.assert_fails(said, 2, "at most 16 cards: name fewer with --gpu\n")

    def test_missing_libraries_are_named(self):
        copy = os.path.join(self.folder, "bin/warpshare")
        os.makedirs(os.path.dirname(copy))
        subprocess.run(["cp", str(BUILD / "bin/warpshare"), copy], check=True)
        said = subprocess.run([copy, "run", "--sim", "--", HOLD], env=self.environment, capture_output=True, text=True)
        self.assert_fails(said, 1, f"{self.folder}/lib/warpshare/libcuda.so.1", "install")

    def test_without_a_driver_it_says_where_to_look(self):
        empty = os.path.join(self.folder, "empty")
        os.mkdir(empty)
        said = self.warpshare("run", "--", "true", environment={"WARPSHARE_DRIVER_DIR": empty})
        self.assert_fails(said, 1, empty, "WARPSHARE_DRIVER_DIR")


if __name__ == "__main__":
    unittest.main()

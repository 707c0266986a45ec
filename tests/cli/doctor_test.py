"""warpshare doctor: what it finds, and that nothing it looks at can take it down."""

import json
import os
import shutil
import subprocess
import unittest

from cli_case import BUILD, CliCase


class Doctor(CliCase):
    def checks(self, *words, **more):
        said = self.warpshare("doctor", "--json", *words, **more)
        checks = {check["name"]: check for check in json.loads(said.stdout)["checks"]}
        for check in checks.values():
            self.assertEqual(set(check), {"name", "health", "finding", "mend"})
            self.assertIn(check["health"], ("ok", "warning", "error"))
            self.assertEqual(check["mend"] is None, check["health"] == "ok", check)
        return said.returncode, checks

    def driver_folder(self, source):
        """A folder with a libcuda.so.1 compiled from C."""
        folder = os.path.join(self.folder, "driver")
        os.mkdir(folder)
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", f"{folder}/libcuda.so.1"], input=source,
                       text=True, check=True)
        return {"WARPSHARE_DRIVER_DIR": folder}

    def test_all_is_well_on_the_simulated_gpu(self):
        code, checks = self.checks("--sim")
        self.assertEqual({check["health"] for check in checks.values()}, {"ok"}, checks)
        self.assertEqual(code, 0)
        self.assertIn("CUDA 13.0", checks["driver answers"]["finding"])
        self.assertIn("SimGPU", checks["cards"]["finding"])
        self.assertIn("20GiB", checks["limit reaches a program"]["finding"])
        self.assertEqual(self.folders(), [])

    def test_it_reads_well(self):
        said = self.warpshare("doctor", "--sim")
        self.assertRegex(said.stdout, r"(?m)^ok +driver answers: CUDA 13")

    def test_no_driver(self):
        os.mkdir(os.path.join(self.folder, "empty"))
        code, checks = self.checks(environment={"WARPSHARE_DRIVER_DIR": os.path.join(self.folder, "empty")})
        self.assertEqual((code, checks["driver"]["health"]), (1, "error"))
        self.assertNotIn("cards", checks)

    def test_a_driver_that_crashes_when_it_is_loaded(self):
        broken = self.driver_folder("__attribute__((constructor)) void f(void) { *(volatile int *)8 = 0; }")
        code, checks = self.checks(environment=broken)
        self.assertEqual(code, 1)
        self.assertIn("crashed", checks["driver answers"]["finding"])

    def test_a_driver_that_is_none(self):
        code, checks = self.checks(environment=self.driver_folder("int x;"))
        self.assertEqual(code, 1)
        self.assertIn("lacks functions", checks["driver answers"]["finding"])

    def test_a_driver_that_says_no(self):
        source = """
          int cuInit(unsigned f) { return 100; }
          int cuGetErrorName(int e, const char **n) { *n = "CUDA_ERROR_NO_DEVICE"; return 0; }
          int cuDriverGetVersion(int *v) { return 0; }
          int cuDeviceGetCount(int *c) { return 0; }
          int cuDeviceTotalMem_v2(void *t, int d) { return 0; }"""
        code, checks = self.checks(environment=self.driver_folder(source))
        self.assertEqual(code, 1)
        self.assertEqual(checks["driver answers"]["finding"], "cuInit says CUDA_ERROR_NO_DEVICE (100)")

    def test_a_card_that_cannot_be_read(self):
        _, checks = self.checks(environment=self.driver_with_a_lost_card())
        self.assertEqual(checks["cards"]["health"], "warning")
        self.assertRegex(checks["cards"]["finding"], "^0 Fake.*; 2 Fake.*; cannot read card 1: .*'GPU is lost'$")

    def test_libraries_that_are_missing_or_are_not_ours(self):
        shutil.copytree(BUILD / "lib/simgpu", os.path.join(self.folder, "lib/warpshare"))
        os.unlink(os.path.join(self.folder, "lib/warpshare/libnvidia-ml.so.1"))
        os.mkdir(os.path.join(self.folder, "bin"))
        shutil.copy(BUILD / "bin/warpshare", os.path.join(self.folder, "bin"))
        said = subprocess.run([os.path.join(self.folder, "bin/warpshare"), "doctor", "--json"], env=self.environment,
                              capture_output=True, text=True)
        checks = {check["name"]: check for check in json.loads(said.stdout)["checks"]}
        self.assertIn("is not warpshare's", checks["library libcuda.so.1"]["finding"])
        self.assertIn("cannot open", checks["library libnvidia-ml.so.1"]["finding"])
        self.assertEqual(said.returncode, 1)

    def test_a_state_folder_that_others_can_write_to(self):
        os.mkdir(self.state)
        os.chmod(self.state, 0o777)
        code, checks = self.checks("--sim")
        self.assertEqual((code, checks["state folder"]["health"]), (1, "error"))
        self.assertIn("chmod go-w", checks["state folder"]["finding"])

    def test_a_tenant_that_is_closed(self):
        self.tenant("--name", "broken", "--memory", "1GiB")
        usage = next(os.path.join(folder, "usage") for folder, _, files in os.walk(self.state) if "usage" in files)
        _, checks = self.checks("--sim")
        self.assertEqual((checks["tenants"]["health"], checks["tenants"]["finding"]), ("ok", "1 in use"))
        with open(usage, "r+b") as file:
            file.write(b"\xff" * 4096)
        _, checks = self.checks("--sim")
        self.assertEqual(checks["tenants"]["health"], "warning")
        self.assertRegex(checks["tenants"]["finding"], "^broken: .*damaged")
        self.assertIn("run them again", checks["tenants"]["mend"])


if __name__ == "__main__":
    unittest.main()

"""What is left when things end badly, and who clears it away."""

import os
import pathlib
import shutil
import signal
import subprocess
import unittest

from cli_case import GIB, CliCase, has_ended


class Leftovers(CliCase):
    def killed_run(self, *options):
        """A tenant whose `warpshare run` is gone while its program goes on."""
        tenant = self.tenant("--name", "orphan", "--gpu", "0", "--memory", "2GiB", *options)
        tenant.run.send_signal(signal.SIGKILL)
        tenant.run.wait()
        return tenant

    def test_the_program_goes_on_without_its_run(self):
        tenant = self.killed_run()
        self.assertEqual(tenant.tell(f"take {GIB}"), "taken")
        self.assertEqual(tenant.tell(f"take {GIB}"), "refused")
        self.assertEqual(list(self.tenants()), ["orphan"])
        self.assertEqual(self.warpshare("set", "orphan", "--memory", "4GiB").returncode, 0)
        self.assertEqual(tenant.tell(f"take {GIB}"), "taken")

    def test_another_run_joins_it(self):
        tenant = self.killed_run()
        self.assertEqual(tenant.tell(f"take {GIB}"), "taken")
        second = self.tenant("--name", "orphan")
        self.assertEqual(second.tell(f"take {GIB}"), "refused")

    def test_the_next_ps_clears_it_away(self):
        tenant = self.killed_run()
        self.assertEqual(self.folders(), ["orphan"])
        self.end_orphan(tenant)
        self.assertEqual(self.tenants(), {})
        self.assertEqual(self.folders(), [])

    def test_the_next_run_clears_it_away(self):
        self.end_orphan(self.killed_run())
        self.assertEqual(self.run_in_tenant("true").returncode, 0)
        self.assertEqual(self.folders(), [])

    def test_its_name_can_be_used_again(self):
        self.end_orphan(self.killed_run())
        fresh = self.tenant("--name", "orphan", "--gpu", "0", "--memory", "1GiB")
        self.assertEqual(fresh.tell("look").split()[-1], str(GIB))

    def test_doctor_names_it_and_clears_it_away(self):
        self.end_orphan(self.killed_run())
        said = self.warpshare("doctor", "--sim")
        self.assertEqual(said.returncode, 0, said.stdout)
        self.assertRegex(said.stdout, r"(?m)^ok +leftovers: removed .*orphan$")
        self.assertEqual(self.folders(), [])

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("chattr"), "only root can make a folder that stays")
    def test_doctor_says_how_to_mend_what_it_cannot_clear_away(self):
        self.end_orphan(self.killed_run())
        folder = os.path.join(self.state, "tenants/orphan")
        if subprocess.run(["chattr", "+i", folder], capture_output=True).returncode != 0:
            self.skipTest("no immutable files here")
        self.addCleanup(subprocess.run, ["chattr", "-i", folder])
        said = self.warpshare("doctor", "--sim")
        self.assertRegex(said.stdout, r"(?m)^warning +leftovers: .*orphan$")
        self.assertIn(f"mend: remove them by hand from {self.state}/tenants", said.stdout)

    def test_a_grandchild_keeps_the_tenant(self):
        said = self.run_in_tenant("sh", "-c", "sleep 600 >/dev/null 2>&1 & echo $!", options=("--name", "daemon"))
        sleeper = int(said.stdout)
        self.addCleanup(lambda: os.path.exists(f"/proc/{sleeper}") and os.kill(sleeper, signal.SIGKILL))
        self.assertEqual(list(self.tenants()), ["daemon"])
        os.kill(sleeper, signal.SIGKILL)
        self.await_true(lambda: not self.tenants(), "the tenant goes with its last process")
        self.assertEqual(self.folders(), [])

    def test_debris_of_a_killed_run_is_cleared_away(self):
        self.run_in_tenant("true")
        os.makedirs(os.path.join(self.state, "tenants/.new-1234/x"))
        self.run_in_tenant("true")
        self.assertEqual(self.folders(), [])

    def test_many_runs_come_and_go_at_once(self):
        tenants = [self.tenant("--name", f"t{number % 3}", "--memory", "1GiB") for number in range(9)]
        self.assertEqual(len(self.tenants()), 3)
        for tenant in tenants:
            tenant.run.stdin.close()
        for tenant in tenants:
            self.assertEqual(tenant.run.wait(), 0)
        self.assertEqual(self.folders(), [])

    def end_orphan(self, tenant):
        tenant.run.stdin.close()
        self.await_true(lambda: has_ended(tenant.pid), "hold ends with its input")


if __name__ == "__main__":
    unittest.main()

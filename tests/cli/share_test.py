"""Several runs of one name are one tenant."""

import unittest

from cli_case import GIB, CliCase


class Share(CliCase):
    def test_two_runs_share_one_limit(self):
        first = self.tenant("--name", "pair", "--gpu", "0", "--memory", "2GiB")
        second = self.tenant("--name", "pair")
        self.assertEqual(first.tell(f"take {GIB}"), "taken")
        self.assertEqual(second.tell(f"take {GIB}"), "refused", "the contexts are counted")
        second.tell("fill")
        self.assertEqual(self.card("pair")["used_bytes"], 2 * GIB)
        self.assertEqual(first.tell("take 1"), "refused")
        self.assertEqual({process["pid"] for process in self.tenants()["pair"]["processes"]},
                         {first.pid, second.pid})

    def test_the_folder_goes_with_the_last_run(self):
        first = self.tenant("--name", "pair", "--memory", "2GiB")
        second = self.tenant("--name", "pair")
        self.assertEqual(first.end(), 0)
        self.assertEqual(self.folders(), ["pair"])
        self.assertEqual(second.tell("take 1"), "taken")
        self.assertEqual(second.end(), 0)
        self.assertEqual(self.folders(), [])

    def test_what_one_gives_up_the_other_gets(self):
        first = self.tenant("--name", "pair", "--gpu", "0", "--memory", "2GiB")
        second = self.tenant("--name", "pair")
        first.tell("fill")
        self.assertEqual(second.tell(f"take {GIB // 2}"), "refused")
        first.close()
        self.assertEqual(second.tell(f"take {GIB // 2}"), "taken", "killed: its bytes come back")

    def test_a_run_may_not_disagree(self):
        self.tenant("--name", "pair", "--gpu", "0", "--memory", "2GiB")
        same = self.run_in_tenant("true", options=("--name", "pair", "--gpu", "0", "--memory", "5%"))
        self.assertEqual(same.returncode, 0, same.stderr)
        other = self.run_in_tenant("true", options=("--name", "pair", "--memory", "3GiB"))
        self.assert_fails(other, 1, "pair", "2GiB", "3GiB", "warpshare set pair --memory 3GiB")
        other = self.run_in_tenant("true", options=("--name", "pair", "--gpu", "1"))
        self.assert_fails(other, 1, "pair", "other cards", "--name")

    def test_a_joining_run_gets_the_tenants_cards(self):
        self.tenant("--name", "pair", "--gpu", "1")
        said = self.run_in_tenant("simgpu-smi", "--query-gpu=uuid", "--format=csv,noheader", options=("--name", "pair"))
        self.assertEqual(said.stdout.strip(), self.card("pair")["uuid"])


if __name__ == "__main__":
    unittest.main()

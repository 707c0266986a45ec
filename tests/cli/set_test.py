"""warpshare set: limits of a running tenant."""

import unittest

from cli_case import GIB, CliCase


class Set(CliCase):
    def test_more_memory_is_there_at_the_next_call(self):
        tenant = self.tenant("--name", "a", "--gpu", "0", "--memory", "1GiB")
        self.assertEqual(tenant.tell(f"take {2 * GIB}"), "refused")
        said = self.warpshare("set", "a", "--memory", "3GiB")
        self.assertEqual((said.returncode, said.stdout), (0, "a: card 0: 1GiB -> 3GiB\n"))
        self.assertEqual(tenant.tell(f"take {2 * GIB}"), "taken")
        self.assertEqual(tenant.tell("look").split()[-1], str(3 * GIB))

    def test_below_what_is_held_nothing_is_taken_away(self):
        tenant = self.tenant("--name", "a", "--gpu", "0", "--memory", "4GiB")
        for _ in range(3):
            self.assertEqual(tenant.tell(f"take {GIB}"), "taken")
        said = self.warpshare("set", "a", "--memory", "2GiB")
        self.assertEqual(said.returncode, 0)
        self.assertIn("4GiB -> 2GiB (it holds 3.", said.stdout)
        self.assertEqual(tenant.tell("take 1"), "refused")
        self.assertEqual(tenant.tell("check"), "intact")
        tenant.tell("drop")
        self.assertEqual(tenant.tell("take 1"), "refused", "2 GiB and a context are still over")
        tenant.tell("drop")
        self.assertEqual(tenant.tell("take 1"), "taken")

    def test_one_card_or_all(self):
        self.tenant("--name", "a", "--memory", "4GiB")
        said = self.warpshare("set", "a", "--memory", "50%", "--gpu", "1")
        self.assertEqual(said.stdout, "a: card 1: 4GiB -> 20GiB\n")
        said = self.warpshare("set", "a", "--memory", "1GiB")
        self.assertEqual(said.stdout, "a: card 0: 4GiB -> 1GiB\na: card 1: 20GiB -> 1GiB\n")
        self.assertEqual([self.card("a", index)["limit_bytes"] for index in (0, 1)], [GIB, GIB])

    def test_a_limit_where_there_was_none(self):
        tenant = self.tenant("--name", "a", "--gpu", "0")
        said = self.warpshare("set", "a", "--memory", "2GiB")
        self.assertEqual(said.stdout, "a: card 0: no limit -> 2GiB\n")
        self.assertEqual(tenant.tell(f"take {2 * GIB}"), "refused")

    def test_a_limit_is_lifted(self):
        tenant = self.tenant("--name", "a", "--gpu", "0", "--memory", "1GiB")
        self.assertEqual(tenant.tell(f"take {2 * GIB}"), "refused")
        said = self.warpshare("set", "a", "--memory", "none")
        self.assertEqual((said.returncode, said.stdout), (0, "a: card 0: 1GiB -> no limit\n"))
        self.assertIsNone(self.card("a")["limit_bytes"])
        self.assertEqual(tenant.tell(f"take {2 * GIB}"), "taken")

    def test_what_is_not_there_is_named(self):
        self.assert_fails(self.warpshare("set", "nobody", "--memory", "1GiB"), 1, "'nobody'")
        self.tenant("--name", "a", "--gpu", "0")
        self.assert_fails(self.warpshare("set", "nobody", "--memory", "1GiB"), 1, "'nobody'", "warpshare ps")
        self.assert_fails(self.warpshare("set", "a", "--memory", "1GiB", "--gpu", "1"), 1, "'1'", "warpshare ps")
        self.tenant("--name", "b", "--memory", "1GiB")
        self.assert_fails(self.warpshare("set", "b", "--memory", "2GiB", "--gpu", "GPU-"), 2, "'GPU-'", "several")
        self.assertEqual([self.card("b", index)["limit_bytes"] for index in (0, 1)], [GIB, GIB])
        self.assert_fails(self.warpshare("set", "a", "--memory", "50GiB"), 2, "40GiB")


if __name__ == "__main__":
    unittest.main()

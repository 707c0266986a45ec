"""ps and top: what is shown, to people and to programs."""

import json
import os
import re
import signal
import subprocess
import termios
import unittest

from cli_case import GIB, WARPSHARE, CliCase
from terminal import Terminal

FRAME = "\x1b[H"
LEAVE = "\x1b[?1049l"


def lines_of(frame):
    """The text of what was drawn, without the terminal's sequences."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", frame).split("\n")


class Views(CliCase):
    def test_json_has_the_documented_fields(self):
        tenant = self.tenant("--name", "a", "--gpu", "1", "--memory", "2GiB")
        tenant.tell("fill")
        shown = self.tenants()["a"]
        self.assertEqual(set(shown), {"name", "cards", "processes", "problem"})
        self.assertIsNone(shown["problem"])
        card, = shown["cards"]
        self.assertEqual(set(card), {"index", "uuid", "name", "limit_bytes", "capacity_bytes", "used_bytes",
                                     "peak_bytes", "refusals", "compute"})
        self.assertIsNone(card["compute"])
        self.assertEqual((card["index"], card["capacity_bytes"]), (1, 40 * GIB))
        self.assertEqual(card["used_bytes"], card["peak_bytes"])
        self.assertRegex(card["uuid"], "^GPU-[0-9a-f-]{36}$")
        process, = shown["processes"]
        self.assertEqual(process, {"pid": tenant.pid, "pid_namespace": "own", "command": "hold",
                                   "used_bytes": [2 * GIB], "gpu_ns": [0]})

    def test_the_table_names_tenant_card_and_process(self):
        tenant = self.tenant("--name", "train", "--gpu", "0", "--memory", "2GiB")
        tenant.tell("fill")
        for words in (("ps",), ("top", "--once"), ("top",)):
            shown = self.warpshare(*words).stdout
            self.assertRegex(shown, r"(?m)^train +0 +2\.00GiB +2\.00GiB +100% +2\.00GiB +[1-9]\d*$", words)
            self.assertRegex(shown, rf"(?m)^ +2\.00GiB +{tenant.pid} hold$", words)

    def test_what_was_given_back_stays_in_the_peak(self):
        tenant = self.tenant("--name", "a", "--gpu", "0", "--memory", "4GiB")
        tenant.tell(f"take {GIB}")
        before = self.card("a")
        tenant.tell("drop")
        after = self.card("a")
        self.assertEqual(before["used_bytes"] - after["used_bytes"], GIB)
        self.assertEqual(after["peak_bytes"], before["used_bytes"])

    def test_a_killed_process_is_shown_no_more(self):
        self.tenant("--name", "a", "--gpu", "0", "--memory", "4GiB")
        second = self.tenant("--name", "a")
        second.tell(f"take {GIB}")
        with_both = self.card("a")["used_bytes"]
        second.close()
        shown = self.tenants()["a"]
        self.assertEqual(len(shown["processes"]), 1)
        self.assertLessEqual(shown["cards"][0]["used_bytes"], with_both - GIB)

    def test_names_only(self):
        self.tenant("--name", "b")
        self.tenant("--name", "a")
        self.assertEqual(self.warpshare("ps", "--quiet").stdout, "a\nb\n")

    def test_nobody_there(self):
        self.assertEqual(self.warpshare("ps").stdout, "no tenants\n")
        self.assertEqual(self.warpshare("ps", "--json").stdout, '{"tenants":[]}\n')
        self.assertEqual(self.warpshare("top", "--once").returncode, 0)
        self.assertFalse(os.path.exists(self.state), "looking makes nothing")

    def test_a_tenants_command_cannot_draw(self):
        evil = os.path.join(self.folder, "\x1b[31mred\x07")
        os.symlink(os.path.join(os.path.dirname(WARPSHARE), "../tests/bin/hold"), evil)
        run = subprocess.Popen([WARPSHARE, "run", "--sim", "--name", "a", "--", evil], env=self.environment,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        run.stdout.readline()
        shown = self.warpshare("ps").stdout
        run.communicate()
        self.assertNotIn("\x1b", shown)
        self.assertIn("?[31mred?", shown)

    def test_a_damaged_usage_file_is_said_and_survived(self):
        self.tenant("--name", "broken", "--memory", "1GiB")
        usage = next(os.path.join(folder, "usage") for folder, _, files in os.walk(self.state) if "usage" in files)
        self.tenant("--name", "whole", "--memory", "1GiB")
        with open(usage, "r+b") as file:
            file.write(b"\xff" * 4096)
        shown = self.tenants()
        self.assertIn("damaged", shown["broken"]["problem"])
        self.assertEqual(shown["broken"]["cards"][0]["limit_bytes"], GIB)
        self.assertIsNone(shown["whole"]["problem"])
        self.assertEqual(self.warpshare("ps").returncode, 0)

    def test_json_again_and_again(self):
        self.tenant("--name", "a")
        top = subprocess.Popen([WARPSHARE, "top", "--json", "--interval", "0.1"], env=self.environment, text=True,
                               stdout=subprocess.PIPE)
        self.addCleanup(top.stdout.close)
        for _ in range(3):
            self.assertEqual(json.loads(top.stdout.readline())["tenants"][0]["name"], "a")
        top.terminate()
        self.assertEqual(top.wait(), 0)


class Live(CliCase):
    def top(self, rows=24, columns=100):
        terminal = Terminal([WARPSHARE, "top", "--interval", "0.1"], self.environment, rows, columns)
        self.addCleanup(terminal.close)
        return terminal

    def next_frame(self, terminal):
        terminal.read_until(re.escape(FRAME))
        return lines_of(terminal.read_until(re.escape("\x1b[J")))

    def test_it_follows_the_tenants(self):
        terminal = self.top()
        self.assertIn("0 tenants", self.next_frame(terminal)[0])
        tenant = self.tenant("--name", "train", "--gpu", "0", "--memory", "2GiB")
        terminal.read_until("train")
        tenant.tell("fill")
        terminal.read_until("100%")

    def test_it_fits_the_screen_also_after_a_change(self):
        for name in "abcdef":
            self.tenant("--name", name * 10)
        terminal = self.top(rows=24, columns=100)
        terminal.read_until("ffffffffff")
        terminal.resize(6, 30)
        while True:
            frame = self.next_frame(terminal)
            if len(frame) <= 6:
                break
        self.assertLessEqual(max(map(len, frame)), 30, frame)
        self.assertRegex(frame[-1], r"^\.\.\. \d+ more lines")

    def test_keys_end_it_and_the_screen_comes_back(self):
        for key in ("q", "\x1b", "\x04"):
            terminal = self.top()
            before = terminal.modes() | termios.ECHO | termios.ICANON
            self.next_frame(terminal)
            self.assertFalse(terminal.modes() & termios.ECHO)
            terminal.type(key)
            self.assertTrue(terminal.read_to_end().endswith(LEAVE), key)
            self.assertEqual(terminal.wait(), 0)
            self.assertEqual(terminal.modes(), before)

    def test_keys_of_several_letters_do_not_end_it(self):
        terminal = self.top()
        self.next_frame(terminal)
        for key in ("\x1b[A", "\x1bOP", "\x1b[15~"):
            terminal.type(key)
            self.next_frame(terminal)
        terminal.type("q")
        self.assertEqual((terminal.read_to_end()[-len(LEAVE):], terminal.wait()), (LEAVE, 0))

    def test_where_nothing_can_be_drawn_it_prints_once(self):
        self.environment["TERM"] = "dumb"
        terminal = self.top()
        shown = terminal.read_to_end()
        self.assertEqual(terminal.wait(), 0)
        self.assertIn("warpshare top", shown)
        self.assertNotIn("\x1b", shown)

    def test_signals_end_it_and_the_screen_comes_back(self):
        for number, code in ((signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 0)):
            terminal = self.top()
            self.next_frame(terminal)
            os.kill(terminal.pid, number)
            self.assertTrue(terminal.read_to_end().endswith(LEAVE))
            self.assertEqual(terminal.wait(), code)
            self.assertTrue(terminal.modes() & termios.ECHO)


if __name__ == "__main__":
    unittest.main()

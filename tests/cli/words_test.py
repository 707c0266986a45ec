"""The words of the command line: help, version, and errors that name the thing and the mend."""

import re
import subprocess
import unittest

from cli_case import PATIENCE, WARPSHARE, CliCase

COMMANDS = ("run", "ps", "top", "set", "doctor", "inspect", "explain", "completion")


class Words(CliCase):
    def test_version(self):
        said = self.warpshare("--version")
        self.assertEqual(said.returncode, 0)
        self.assertRegex(said.stdout, r"^warpshare \d+\.\d+\.\d+\n$")

    def test_every_command_has_help_with_examples(self):
        for words in ((), *((command,) for command in COMMANDS)):
            said = self.warpshare(*words, "--help")
            self.assertEqual(said.returncode, 0)
            self.assertIn("Examples:", said.stdout, words)
            self.assertIn("warpshare " + (words[0] if words else "run"), said.stdout)

    def test_examples_of_the_help_are_taken(self):
        for command in ("ps", "top", "set", "doctor"):
            examples = re.findall(rf"^  warpshare {command}(.*?)(?:  |\||>|$)",
                                  self.warpshare(command, "--help").stdout, re.MULTILINE)
            self.assertTrue(examples)
            for example in examples:
                said = self.warpshare(command, *example.replace("--interval 5", "--once").split())
                self.assertNotEqual(said.returncode, 2, (example, said.stderr))

    def test_words_that_make_no_sense_say_where_help_is(self):
        for words, piece in ((("fly",), "fly"), ((), "no command"), (("set", "a"), "--memory"), (("run",), "after --"),
                             (("run", "ls"), "put -- before 'ls'"), (("run", "--fly", "--", "ls"), "--fly"),
                             (("ps", "--", "ls"), "after --"), (("top", "--interval", "0"), "--interval"),
                             (("top", "--interval", "x"), "--interval"),
                             (("top", "--interval", "nan"), "--interval: 'nan' is no number of seconds")):
            self.assert_fails(self.warpshare(*words), 2, piece, "--help")

    def test_a_slip_is_told_what_was_meant(self):
        for words, piece in ((("rnu", "--", "ls"), "no command 'rnu' (did you mean run?): see: warpshare --help"),
                             (("run", "--memroy", "4GiB", "--", "ls"), "no option '--memroy' (did you mean --memory?)"),
                             (("run", "--mem=4GiB", "--", "ls"), "(did you mean --memory?): see: warpshare run --help"),
                             (("ps", "all"), "'all' is a word too many: see: warpshare ps --help"),
                             (("--json", "ps"), "put '--json' after 'ps': see: warpshare ps --help"),
                             (("--jsno",), "no option '--jsno': see")):
            self.assert_fails(self.warpshare(*words), 2, piece)

    def test_bad_sizes_show_good_ones(self):
        for size in ("4GB", "4096", "-1GiB", "101%", "", "lots", "99999999999GiB"):
            self.assert_fails(self.run_in_tenant("true", options=("--memory", size)), 2, "--memory", "4GiB", "50%")
            self.assert_fails(self.warpshare("set", "a", "--memory", size), 2, "--memory", "4GiB")

    def test_bad_names_say_what_a_name_is(self):
        for name in ("../x", "a b", "", ".hidden", "x" * 64, "a\x1b[2J"):
            self.assert_fails(self.run_in_tenant("true", options=("--name", name)), 2, "letters")

    def test_errors_are_safe_to_print(self):
        self.assertNotIn("\x1b", self.warpshare("run", "--gpu", "\x1b[2J", "--sim", "--", "true").stderr)
        self.assertNotIn("\x1b", self.warpshare("\x1b[2J").stderr)

    def test_an_unknown_card_lists_those_that_are_there(self):
        self.assert_fails(self.run_in_tenant("true", options=("--gpu", "7")), 2, "'7'", "0 (GPU-", "1 (GPU-")
        self.assert_fails(self.run_in_tenant("true", options=("--gpu", "GPU-nope")), 2, "GPU-nope")

    def test_more_memory_than_the_card_has_is_a_slip(self):
        self.assert_fails(self.run_in_tenant("true", options=("--memory", "41GiB")), 2, "card 0 has 40GiB")

    def test_output_that_cannot_be_written_is_a_failure(self):
        for words in (("ps",), ("ps", "--json"), ("top", "--once"), ("doctor", "--sim"), ("--help",), ("--version",),
                      ("completion", "bash")):
            with open("/dev/full", "w") as full:
                said = subprocess.run([WARPSHARE, *words], env=self.environment, text=True, stdout=full,
                                      stderr=subprocess.PIPE, timeout=PATIENCE)
            self.assert_fails(said, 1, "output")
            closed = self.in_shell(words, ">&-")
            self.assert_fails(closed, 1, "output")

    def test_a_program_does_without_the_streams_that_were_closed(self):
        for stream in (0, 1, 2):
            script = f"test ! -e /proc/self/fd/{stream}"
            said = self.in_shell(("run", "--sim", "--", "sh", "-c", script), f"{stream}>&-")
            self.assertEqual((said.returncode, said.stderr), (0, ""))

    def in_shell(self, words, redirection):
        return subprocess.run(["sh", "-c", f'"$0" "$@" {redirection}', WARPSHARE, *words], env=self.environment,
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE)


if __name__ == "__main__":
    unittest.main()

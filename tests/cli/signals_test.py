"""Signals and the terminal: a run is as good as invisible between a program and whoever starts it."""

import os
import pathlib
import signal
import subprocess
import sys
import unittest

from cli_case import WARPSHARE, CliCase
from terminal import Terminal

# Says its own pid, then each signal that arrives; ends at SIGTERM with how often SIGINT came. Blocked and waited for, so
# that none is missed between two waits and none interrupts what is said of another.
COUNTER = """
import os, signal, sys
numbers = {signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2, signal.SIGWINCH,
           signal.SIGCONT, signal.SIGTERM}
signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
print("ready", os.getpid(), flush=True)
interrupts = 0
while True:
    number = signal.Signals(signal.sigwait(numbers))
    print("got", number.name, flush=True)
    interrupts += number == signal.SIGINT
    if number == signal.SIGTERM:
        print("interrupts", interrupts, flush=True)
        sys.exit(5)
"""
JOB_SHELL = str(pathlib.Path(__file__).with_name("job_shell.py"))


class Signals(CliCase):
    def command(self, *program):
        return [WARPSHARE, "run", "--sim", "--", *program]

    def terminal(self, *command):
        terminal = Terminal(list(command), self.environment)
        self.addCleanup(terminal.close)
        return terminal

    def test_signals_sent_to_the_run_reach_the_program(self):
        run = subprocess.Popen(self.command(sys.executable, "-c", COUNTER), env=self.environment, text=True,
                               stdout=subprocess.PIPE)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.kill)
        run.stdout.readline()
        for name in ("SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGCONT", "SIGTERM"):
            run.send_signal(signal.Signals[name])
            self.assertEqual(run.stdout.readline().strip(), f"got {name}")
        self.assertEqual(run.stdout.readline().strip(), "interrupts 1")
        self.assertEqual(run.wait(), 5)
        self.assertEqual(self.folders(), [])

    def test_control_c_arrives_once(self):
        terminal = self.terminal(*self.command(sys.executable, "-c", COUNTER))
        terminal.read_until("ready")
        terminal.type("\x03")
        terminal.read_until("got SIGINT")
        # Were it passed on as well, the second one would be on its way before this.
        os.kill(terminal.pid, signal.SIGTERM)
        terminal.read_until("interrupts 1\r")
        self.assertEqual(terminal.wait(), 5)

    def test_control_c_ends_a_program_that_does_not_care(self):
        terminal = self.terminal(*self.command("sh", "-c", "echo ready; exec sleep 600"))
        terminal.read_until("ready")
        terminal.type("\x03")
        self.assertEqual(terminal.wait(), 128 + signal.SIGINT)
        self.assertEqual(self.folders(), [])

    def test_control_c_reaches_a_program_that_left_the_group(self):
        script = "import os; os.setpgid(0, 0)\n" + COUNTER
        terminal = self.terminal(*self.command(sys.executable, "-c", script))
        terminal.read_until("ready")
        terminal.type("\x03")
        terminal.read_until("got SIGINT")
        os.kill(terminal.pid, signal.SIGTERM)
        terminal.read_until("interrupts 1\r")

    def test_a_new_size_of_the_terminal_arrives(self):
        terminal = self.terminal(*self.command(sys.executable, "-c", COUNTER))
        terminal.read_until("ready")
        terminal.resize(30, 100)
        terminal.read_until("got SIGWINCH")

    def test_the_job_stops_and_goes_on(self):
        terminal = self.terminal(sys.executable, JOB_SHELL, *self.command(sys.executable, "-c", COUNTER))
        terminal.read_until("ready")
        terminal.type("\x1a")
        terminal.read_until("job stopped by SIGTSTP")
        terminal.type("fg\n")
        terminal.read_until("got SIGCONT")
        terminal.type("\x03")
        terminal.read_until("got SIGINT")

    def test_a_stop_sent_to_the_run_stops_both(self):
        terminal = self.terminal(sys.executable, JOB_SHELL, *self.command(sys.executable, "-c", COUNTER))
        program = int(terminal.read_until(r"ready (\d+)\r").split()[-1])
        run = int(pathlib.Path(f"/proc/{program}/stat").read_text().rsplit(")", 1)[1].split()[1])
        os.kill(run, signal.SIGTSTP)
        terminal.read_until("job stopped by SIGTSTP")
        state = pathlib.Path(f"/proc/{program}/stat").read_text().rsplit(")", 1)[1].split()[0]
        self.assertEqual(state, "T")
        terminal.type("fg\n")
        terminal.read_until("got SIGCONT")

    def test_without_a_shell_above_nothing_stops_for_ever(self):
        terminal = self.terminal(*self.command(sys.executable, "-c", COUNTER))
        terminal.read_until("ready")
        terminal.type("\x1a")
        terminal.type("\x03")
        terminal.read_until("got SIGINT")

    def test_a_program_reads_the_terminal(self):
        terminal = self.terminal(*self.command("sh", "-c", "echo ready; read word; echo \"read $word\""))
        terminal.read_until("ready")
        terminal.type("hello\n")
        terminal.read_until("read hello")
        self.assertEqual(terminal.wait(), 0)

    def test_ignored_signals_stay_ignored(self):
        # As under nohup.
        run = subprocess.run(["sh", "-c", "trap '' HUP; exec \"$@\"", "sh",
                              *self.command("sh", "-c", "kill -HUP $$; echo alive")],
                             env=self.environment, capture_output=True, text=True)
        self.assertEqual(run.stdout, "alive\n")


if __name__ == "__main__":
    unittest.main()

"""A pseudo-terminal with a program in it."""

import fcntl
import os
import pathlib
import pty
import re
import select
import struct
import termios
import time

from cli_case import PATIENCE


class Terminal:
    def __init__(self, command, environment, rows=24, columns=80):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            try:
                self.set_size(0, rows, columns)
                os.execvpe(command[0], command, environment)
            finally:
                os._exit(127)  # not back into the test, of which this is a copy
        self.seen = ""
        self.status = None

    @staticmethod
    def set_size(file, rows, columns):
        fcntl.ioctl(file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, rows, columns):
        self.set_size(self.file, rows, columns)

    def type(self, text):
        os.write(self.file, text.encode())

    def read_until(self, pattern):
        """Reads on until the pattern is in what was not returned yet; returns all of that."""
        deadline = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.seen)):
            if not self._read(deadline):
                raise AssertionError(f"no {pattern!r} in {self.seen!r}")
        text, self.seen = self.seen[:found.end()], self.seen[found.end():]
        return text

    def read_to_end(self):
        while self._read(time.monotonic() + PATIENCE):
            pass
        text, self.seen = self.seen, ""
        return text

    def _read(self, deadline):
        if not select.select([self.file], [], [], max(0, deadline - time.monotonic()))[0]:
            raise AssertionError(f"nothing more came after {self.seen!r}")
        try:
            read = os.read(self.file, 65536)
        except OSError:  # the other end is closed
            return False
        self.seen += read.decode(errors="replace")
        return bool(read)

    def modes(self):
        return termios.tcgetattr(self.file)[3]

    def wait(self):
        if self.status is None:
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.status

    def _session(self):
        """Every process that was started in this terminal: also those of jobs, which outlive their shell."""
        for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                if int(entry.read_text().rsplit(")", 1)[1].split()[3]) == self.pid:
                    yield int(entry.parent.name)
            except (FileNotFoundError, ProcessLookupError):
                pass

    def close(self):
        for pid in self._session():
            try:
                os.kill(pid, 9)
            except ProcessLookupError:
                pass
        self.wait()
        os.close(self.file)

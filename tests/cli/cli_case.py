"""The world of one test of the command line: programs of this build, a state folder, a simulated machine."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

BUILD = pathlib.Path(os.environ.get("WARPSHARE_BUILD", "build/release")).resolve()
WARPSHARE = str(BUILD / "bin/warpshare")
HOLD = str(BUILD / "tests/bin/hold")
MIB = 1 << 20
GIB = 1 << 30
# A test that waits this long has failed; nothing is timed by it.
PATIENCE = 60


def has_ended(pid):
    """Gone, or all its threads are and it waits for init to collect it."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return fields[0] in "ZX" and int(fields[17]) <= 1
    except (FileNotFoundError, ProcessLookupError):
        return True


class Tenant:
    """`warpshare run` with hold in it. Commands go to hold; `answer` is its next line."""

    def __init__(self, environment, *options):
        self.run = subprocess.Popen([WARPSHARE, "run", "--sim", *options, "--", HOLD], env=environment, text=True,
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        ready = self.answer().split()
        if ready[:1] != ["ready"]:
            raise AssertionError(f"hold did not start: {ready} {self.run.stderr.read()}")
        self.pid = int(ready[1])

    def answer(self):
        return self.run.stdout.readline().strip()

    def tell(self, command):
        self.run.stdin.write(command + "\n")
        self.run.stdin.flush()
        return self.answer()

    def number(self, command):
        """The number that ends the answer: "filled 12" is 12."""
        return int(self.tell(command).split()[-1])

    def end(self):
        self.run.stdin.close()
        return self.run.wait(PATIENCE)

    def await_end(self):
        """The program is not our child, so it cannot be waited for."""
        deadline = time.monotonic() + PATIENCE
        while hasattr(self, "pid") and not has_ended(self.pid) and time.monotonic() < deadline:
            pass

    def close(self):
        for pid in (self.run.pid, self.pid if hasattr(self, "pid") else self.run.pid):
            try:
                os.kill(pid, 9)
            except ProcessLookupError:
                pass
        self.run.wait()
        self.await_end()
        for stream in (self.run.stdin, self.run.stdout, self.run.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass


class CliCase(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        shared = "/dev/shm" if os.path.isdir("/dev/shm") else None
        self.folder = tempfile.mkdtemp(prefix="warpshare-cli-", dir=shared)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.state = os.path.join(self.folder, "state")
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("WARPSHARE_", "SIMGPU_", "CUDA_", "LD_"))}
        self.environment.update(TERM="xterm", WARPSHARE_STATE_DIR=self.state, SIMGPU_WORLD=os.path.join(self.folder, "world"),
                                SIMGPU_CARDS="2", SIMGPU_MEMORY="40GiB", SIMGPU_CONTEXT_MEMORY="100MiB",
                                PATH=f"{BUILD / 'bin'}:{os.environ['PATH']}")

    def run_program(self, program, *words, **more):
        """Runs it to its end. `environment`: variables on top."""
        environment = {**self.environment, **more.pop("environment", {})}
        return subprocess.run([program, *words], env=environment, capture_output=True, text=True, timeout=PATIENCE, **more)

    def warpshare(self, *words, **more):
        return self.run_program(WARPSHARE, *words, **more)

    def run_in_tenant(self, *command, options=(), **more):
        return self.warpshare("run", "--sim", *options, "--", *command, **more)

    def tenant(self, *options, environment=None):
        tenant = Tenant({**self.environment, **(environment or {})}, *options)
        self.addCleanup(tenant.close)
        return tenant

    def tenants(self):
        """What `ps --json` says, by name."""
        listed = self.warpshare("ps", "--json")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        return {tenant["name"]: tenant for tenant in json.loads(listed.stdout)["tenants"]}

    def card(self, name, index=0):
        return self.tenants()[name]["cards"][index]

    def driver_with_a_lost_card(self):
        """Variables of a driver whose management library has three cards and cannot read card 1."""
        folder = os.path.join(self.folder, "driver")
        os.mkdir(folder)
        shutil.copy(BUILD / "lib/simgpu/libcuda.so.1", folder)
        shutil.copy(BUILD / "tests/fake_nvml/libnvidia-ml.so.1", folder)
        return {"WARPSHARE_DRIVER_DIR": folder, "FAKE_NVML": "lost"}

    def assert_fails(self, result, code, *pieces):
        """One line on standard error, "warpshare: ...", with these pieces, and that exit code."""
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("warpshare: "), result.stderr)
        for piece in pieces:
            self.assertIn(piece, result.stderr)

    def await_true(self, condition, what):
        """For what happens in a process that cannot be waited for."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.01)

    def folders(self):
        """Tenant folders on disk, debris included."""
        try:
            return sorted(os.listdir(os.path.join(self.state, "tenants")))
        except FileNotFoundError:
            return []

"""What `warpshare top` shows of the tenants meanwhile: their own measure of what they used."""
import contextlib
import subprocess

from gpu.stage import json_lines

SHOWN = ("used_permille", "granted_permille", "wait_p50_us", "wait_p99_us", "interval_ns")


class Watch:
    """Looks twice, `seconds` apart, while the tenants go on."""

    def __init__(self, stage, seconds):
        command = [stage.program("bin", "warpshare"), "top", "--once", "--json", "--interval", f"{seconds:.1f}"]
        self._process = subprocess.Popen(command, env=stage.environment(), stdin=subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self._patience = seconds + 10

    def tenants(self):
        """By name, of the first card; those that it had no look at are missing."""
        try:
            output, _ = self._process.communicate(timeout=self._patience)
        except subprocess.TimeoutExpired:
            self.end()
            return {}
        told = (json_lines(output) or [{}])[-1]
        return {tenant["name"]: {each: tenant["cards"][0]["compute"].get(each) for each in SHOWN}
                for tenant in told.get("tenants", []) if tenant["cards"] and tenant["cards"][0].get("compute")}

    def end(self):
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._process.stdout.close()


@contextlib.contextmanager
def watching(stage, seconds):
    watch = Watch(stage, seconds)
    try:
        yield watch
    finally:
        watch.end()

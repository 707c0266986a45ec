"""`cmake --install`: what is installed works from where it lies."""

import json
import os
import pathlib
import subprocess
import unittest

from cli_case import BUILD, CliCase

FILES = ("bin/warpshare", "bin/warpshare-node", "bin/simgpu-smi", "lib/warpshare/libcuda.so.1",
         "lib/warpshare/libnvidia-ml.so.1", "lib/simgpu/libcuda.so.1", "share/doc/warpshare/README.md",
         "share/doc/warpshare/cli.md", "share/bash-completion/completions/warpshare", "share/zsh/site-functions/_warpshare",
         "share/fish/vendor_completions.d/warpshare.fish", "share/simgpu/scenarios/dgx-a100.scenario")


class Install(CliCase):
    def setUp(self):
        super().setUp()
        self.prefix = pathlib.Path(self.folder, "prefix")
        subprocess.run(["cmake", "--install", BUILD, "--prefix", self.prefix], check=True, stdout=subprocess.DEVNULL)

    def installed(self, *words):
        return subprocess.run([self.prefix / "bin/warpshare", *words], env=self.environment, capture_output=True, text=True)

    def test_everything_is_where_it_is_looked_for(self):
        self.assertEqual([file for file in FILES if not (self.prefix / file).exists()], [])

    def test_the_command_finds_its_own_libraries(self):
        said = self.installed("doctor", "--sim", "--json")
        checks = {check["name"]: check for check in json.loads(said.stdout)["checks"]}
        self.assertEqual({check["health"] for check in checks.values()}, {"ok"}, checks)
        said = self.installed("run", "--sim", "--memory", "1GiB", "--cores", "50", "--", self.prefix / "bin/simgpu-smi")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertIn("/   1024MiB", said.stdout)


if __name__ == "__main__":
    unittest.main()

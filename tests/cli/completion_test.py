"""Shell completion, asked of the shells themselves where they are."""

import os
import shutil
import subprocess
import unittest

from cli_case import BUILD, CliCase


class Completion(CliCase):
    def bash(self, *words):
        """What bash offers for the last word."""
        line = " ".join(f"'{word}'" for word in ("warpshare", *words))
        script = (f"source <(warpshare completion bash); COMP_WORDS=({line}); COMP_CWORD={len(words)}; _warpshare;"
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        said = subprocess.run(["bash", "-c", script], env=self.environment, capture_output=True, text=True)
        self.assertEqual(said.stderr, "")
        return set(said.stdout.split())

    def test_commands_and_options(self):
        self.assertEqual(self.bash("do"), {"doctor"})
        self.assertLessEqual({"run", "ps", "top", "set", "doctor", "completion", "--version"}, self.bash(""))
        self.assertEqual(self.bash("run", "--m"), {"--memory"})
        self.assertEqual(self.bash("top", "--"), {"--once", "--json", "--interval", "--help"})
        self.assertEqual(self.bash("completion", "f"), {"fish"})

    def test_values_and_programs_are_not_options(self):
        self.assertEqual(self.bash("run", "--memory", ""), set())
        self.assertEqual(self.bash("run", "--priority", ""), {"high", "low"})
        self.assertEqual(self.bash("set", "a", "--policy", "w"), {"weighted", "weak"})
        self.assertEqual(self.bash("set", "a", "--memory", ""), {"none"})
        self.assertIn("true", self.bash("run", "--sim", "--", "tru"))
        self.assertEqual(self.bash("run", "--", "cat", "--m"), set())

    def test_words_about_a_cluster(self):
        self.assertEqual(self.bash("inspect", "c"), {"cards"})
        self.assertEqual(self.bash("inspect", "-o", ""), {"wide", "json"})
        self.assertLessEqual({"--namespace", "--context", "--kubeconfig"}, self.bash("explain", "--"))

    def test_kubectl_completes_its_plugin(self):
        def completed(*words):
            said = self.run_program(os.path.join(BUILD, "bin", "kubectl_complete-warpshare"), *words)
            self.assertEqual(said.stderr, "")
            *offered, directive = said.stdout.split()
            self.assertEqual(directive, ":4")
            return set(offered)
        self.assertEqual({word for word in completed("") if not word.startswith("-")}, {"inspect", "explain"})
        self.assertEqual(completed("inspect", "no"), {"nodes"})
        self.assertEqual(completed("inspect", "--no"), {"--node"})

    def test_names_of_running_tenants(self):
        self.tenant("--name", "training")
        self.assertEqual(self.bash("set", "tr"), {"training"})

    def test_every_shell_takes_its_script(self):
        for shell, check in (("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-execute"])):
            script = self.warpshare("completion", shell)
            self.assertEqual(script.returncode, 0)
            for word in ("run", "memory", "warpshare ps --quiet"):
                self.assertIn(word, script.stdout)
            path = os.path.join(self.folder, shell)
            with open(path, "w", encoding="utf-8") as file:
                file.write(script.stdout)
            if shutil.which(shell):
                checked = subprocess.run([shell, *check, path], capture_output=True, text=True)
                self.assertEqual((checked.returncode, checked.stderr), (0, ""), shell)

    def test_an_unknown_shell(self):
        self.assert_fails(self.warpshare("completion", "csh"), 2, "csh", "bash, zsh or fish")


if __name__ == "__main__":
    unittest.main()

"""What the checks share: the files of the tree, and findings that say where and what to do."""

import pathlib
import subprocess
import sys
from typing import Iterable, NamedTuple

# Folders inside a room for test doubles and fixtures.
TEST_FOLDERS = {"fake", "testing"}
CPP_SUFFIXES = {".h", ".cc", ".c", ".def", ".S"}


class Finding(NamedTuple):
    """One breach of a house rule; `mend` says what to do about it."""

    path: str
    line: int
    mend: str


def repository_root() -> pathlib.Path:
    return pathlib.Path(__file__).resolve().parent.parent


def source_files(root: pathlib.Path, *folders: str) -> list[pathlib.Path]:
    """Files under the folders (all of them: the whole tree) that git tracks or would track, relative to root."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *folders],
        check=True, capture_output=True, text=True).stdout
    paths = sorted({pathlib.Path(name) for name in listed.split("\0") if name})
    return [path for path in paths if (root / path).is_file()]


def is_test(path: pathlib.Path) -> bool:
    """Tests and test doubles: code that no product links."""
    if path.parts[0] in ("tests", "bench") or TEST_FOLDERS & set(path.parts):
        return True
    return path.stem.endswith(("_test", "_bench", "_fuzz"))


def report(check: str, findings: Iterable[Finding]) -> int:
    """Prints the findings; returns the exit status."""
    findings = list(findings)
    for finding in findings:
        print(f"{finding.path}:{finding.line}: {finding.mend}")
    print(f"{check}: {len(findings)} to mend" if findings else f"{check}: ok", file=sys.stderr)
    return 1 if findings else 0

#!/usr/bin/env python3
"""Compares the types of src/abi/driver with NVIDIA's: every size, offset and value, and that no enumerator is missing.

One list of questions is read off our headers. A program that includes ours answers it, another that includes NVIDIA's
does too, and the answers are compared.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import driver_headers

OURS = ("abi/driver/cuda_types.h", "abi/driver/nvml_types.h")
THEIRS = ("cuda.h", "nvml.h")

MEMBER = re.compile(r"(?:[\w ]+?[ *]+)(\w+)(?:\[.*\])?;")
CLOSING = re.compile(r"\} ?(\w*)(\[.*\])?;")

# Left out on purpose: a blob that C and C++ align by different words, and a second spelling of CUctx_flags.
TYPES_LEFT_OUT = {"CUtensorMap", "CUevent_sched_flags"}
# Repeats of a metric for each link or engine; nvml_gpm.h names the first of each.
ENUMERATORS_LEFT_OUT = re.compile(r"NVML_GPM_METRIC_(NVLINK_L\d+_|NVDEC_[1-9]|NVJPG_[1-9]|NVOFA_1|NVENC_[1-9]|C2C_LINK|GR\d).*")


class OurHeaders:
    """What our headers declare. They keep one declaration a line, which clang-format sees to."""

    def __init__(self, folder: pathlib.Path):
        self.enums: dict[str, list[str]] = {}
        self.types: list[str] = []
        self.members: list[tuple[str, str]] = []
        self.macros: list[str] = []
        for header in sorted(folder.glob("*.h")):
            if header.name != "entry_points.h":
                self._read(iter(header.read_text().splitlines()))

    def _read(self, lines: Iterator[str]) -> None:
        for line in lines:
            if found := re.match(r"typedef enum (\w+) : \w+ \{", line):
                self.types.append(found[1])
                self.enums[found[1]] = [entry.split()[0] for entry in self._until_closed(lines)]
            elif found := re.match(r"typedef (?:struct|union) (\w+) \{", line):
                self.types.append(found[1])
                self.members += [(found[1], path) for path in self._paths(list(self._until_closed(lines)))]
            elif found := re.match(r"typedef .*?(?:\(\*(\w+)\)\(.*|\b(\w+);)$", line):
                self.types.append(found[1] or found[2])
            elif found := re.match(r"#define (\w+) \S", line):
                self.macros.append(found[1])

    @staticmethod
    def _until_closed(lines: Iterator[str]) -> Iterator[str]:
        for line in lines:
            if line.startswith("}"):
                return
            if not line.lstrip().startswith("//"):
                yield line.strip()

    def _paths(self, body: list[str]) -> Iterator[str]:
        """Members as offsetof takes them: `info.overBudget`, `sensor[0].target`; those of an unnamed struct or union stand
        alone."""
        while body:
            line = body.pop(0)
            if not line.endswith("{"):
                yield MEMBER.fullmatch(line)[1]
                continue
            depth, inner = 1, []
            while depth:
                inner.append(body.pop(0))
                depth += inner[-1].endswith("{") - inner[-1].startswith("}")
            name, array = CLOSING.fullmatch(inner.pop()).groups()
            if name:
                yield name
            first = f"{name}[0]" if array else name
            yield from (f"{first}.{path}" if name else path for path in self._paths(inner))

    def questions(self) -> Iterator[str]:
        for name in self.types:
            yield f"sizeof({name})"
        for name, path in self.members:
            yield f"offsetof({name}, {path})"
            yield f"sizeof((({name}*)0)->{path})"
        for enumerators in self.enums.values():
            yield from (f"(long long)({name})" for name in enumerators)
        yield from (f"(long long)({name})" for name in self.macros)


def answers(compiler: str, include: pathlib.Path, headers: tuple[str, ...], questions: list[str]) -> dict[str, int]:
    lines = ["#include <cstddef>", "#include <cstdio>", *(f'#include "{header}"' for header in headers), "int main() {",
             *(f'std::printf("%lld\\n", (long long)({question}));' for question in questions), "}"]
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "probe.cc"), pathlib.Path(folder, "probe")
        source.write_text("\n".join(lines))
        subprocess.run([compiler, "-x", "c++", "-std=c++20", "-w", "-D__CUDA_API_VERSION_INTERNAL", f"-I{include}",
                        str(source), "-o", str(program)], check=True)
        printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    return dict(zip(questions, map(int, printed.split()), strict=True))


def declared(compiler: str, include: pathlib.Path, header: str) -> Iterator[tuple[str, str, str]]:
    """Kind, body and name of each enum, struct and union in one of NVIDIA's headers."""
    text = subprocess.run([compiler, "-x", "c++", "-E", "-P", "-w", f"-I{include}", str(include / header)],
                          capture_output=True, text=True, check=True).stdout
    nested = r"[^{}]|\{(?:[^{}]|\{[^{}]*\})*\}"
    for found in re.finditer(rf"typedef (enum|struct|union)\b[^{{}};]*\{{((?:{nested})*)\}}\s*((?:CU|nvml)\w+)\s*;", text):
        yield found.groups()


def missing(ours: OurHeaders, compiler: str, include: pathlib.Path) -> Iterator[str]:
    for header in THEIRS:
        for kind, body, name in declared(compiler, include, header):
            plain = re.sub(r"_v1$", "", name)
            if header == "cuda.h" and plain not in ours.types and name not in ours.types and plain not in TYPES_LEFT_OUT:
                yield f"{kind} {name} is not declared"
            if kind != "enum" or name not in ours.enums:
                continue
            for enumerator in re.findall(r"(?:^|,)\s*(\w+)", re.sub(r"=[^,]*", "", body)):
                if enumerator not in ours.enums[name] and not ENUMERATORS_LEFT_OUT.fullmatch(enumerator):
                    yield f"{name} lacks {enumerator}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="c++")
    compiler = parser.parse_args().compiler
    include = driver_headers.include_folder()
    headers = OurHeaders(ROOT / "src/abi/driver")
    questions = list(dict.fromkeys(headers.questions()))
    ours = answers(compiler, ROOT / "src", OURS, questions)
    theirs = answers(compiler, include, THEIRS, questions)
    breaches = [f"{question} is {ours[question]} here and {theirs[question]} in NVIDIA's headers"
                for question in questions if ours[question] != theirs[question]]
    breaches += missing(headers, compiler, include)
    print("\n".join(breaches) or f"{len(questions)} sizes, offsets and values agree with the headers")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compares src/abi/driver/entry_points with NVIDIA's headers: no symbol missing, none invented, every proc_name, since
and stream_mode right.

The typedefs headers name a function's type PFN_<proc name>_v<version>[_ptsz]. Versions of one proc name and the symbols
behind it are both in order, so the n-th oldest version means the n-th symbol; that both have the same C type is then
checked by the compiler.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import driver_headers
import driver_table

CUDA_HEADERS = ("cuda.h", "cudaGL.h", "cudaEGL.h", "cudaVDPAU.h")
TYPEDEFS = ("cudaTypedefs.h", "cudaGLTypedefs.h", "cudaEGLTypedefs.h", "cudaVDPAUTypedefs.h", "cudaProfilerTypedefs.h")
CUDA_MODES = ([], ["-DCUDA_API_PER_THREAD_DEFAULT_STREAM"], ["-D__CUDA_API_VERSION_INTERNAL"])
NVML_MODES = ([], ["-DNVML_NO_UNVERSIONED_FUNC_DEFS"])

NOT_ON_LINUX = {"cuWGLGetDevice"}
INLINE_IN_HEADER = {"cuGetProcAddress_v2_ptsz"}
# Exported by driver 580 and in no header of CUDA 13.0.
CUDA_UNDECLARED = {"cuEGLApiInit", "cuMemGetAttribute", "cuMemGetAttribute_v2"}
# The same; of these the header maps the first two to their new names, and the last three came after it.
NVML_UNDECLARED = {
    "nvmlGetBlacklistDeviceCount", "nvmlGetBlacklistDeviceInfoByIndex", "nvmlInternalGetExportTable",
    "nvmlDeviceGetRemappedRows_v2", "nvmlDeviceGetUnrepairableMemoryFlag_v1", "nvmlDeviceReadPRMCounters_v1"}

Name = collections.namedtuple("Name", "proc_name since per_thread")


class Headers:
    """What NVIDIA's headers say, read with a preprocessor."""

    def __init__(self, compiler: str):
        self.compiler = compiler
        self.include = driver_headers.include_folder()

    def functions(self, header: str, prefix: str, modes: tuple[list[str], ...]) -> set[str]:
        found: set[str] = set()
        for mode in modes:
            # cudaVDPAU.h relies on its includer for cuda.h.
            text = subprocess.run(
                [self.compiler, "-x", "c++", "-E", "-P", "-w", f"-I{self.include}", "-include", "cuda.h", *mode,
                 str(self.include / header)],
                capture_output=True, text=True, check=True).stdout
            found |= set(re.findall(rf"(?:CUresult|nvmlReturn_t|const char ?\*)\s+({prefix}[A-Z]\w*)\s*\(", text))
        return found

    def versions(self) -> dict[tuple[str, str], list[int]]:
        """Per proc name and stream suffix, the versions it has had, oldest first."""
        found = collections.defaultdict(set)
        for header in TYPEDEFS:
            for name, since, suffix in re.findall(r"\*PFN_(cu\w+?)_v(\d+)(_pt[sd][sz])?\)", (self.include / header).read_text()):
                if name not in NOT_ON_LINUX:
                    found[name, suffix].add(int(since))
        return {key: sorted(versions) for key, versions in found.items()}

    def cuda_symbols(self) -> set[str]:
        symbols = set().union(*(self.functions(header, "cu", CUDA_MODES) for header in CUDA_HEADERS))
        profiler = {name for name, _ in self.versions() if name.startswith("cuProfiler")}  # cudaProfiler.h is elsewhere
        return (symbols | profiler) - INLINE_IN_HEADER - NOT_ON_LINUX

    def cuda_names(self) -> dict[str, Name]:
        """Symbol -> the name and version under which cuGetProcAddress finds it."""
        symbols = collections.defaultdict(list)
        for symbol in self.cuda_symbols():
            proc_name, number, suffix = re.fullmatch(r"(\w+?)(?:_v(\d+))?(_pt[sd][sz])?", symbol).groups()
            symbols[proc_name, suffix or ""].append((int(number or 1), symbol))
        versions, names = self.versions(), {}
        for key, numbered in symbols.items():
            known = versions.get(key, [])
            if len(known) != len(numbered):
                raise SystemExit(f"cannot match versions {known} of {key} with symbols {sorted(numbered)}")
            for since, (_, symbol) in zip(known, sorted(numbered)):
                names[symbol] = Name(key[0], since, bool(key[1]))
        return names

    def wrong_types(self, rows: list[driver_table.Row]) -> list[str]:
        """Symbols whose C type differs from that of the version they are said to be."""
        declared = self.functions("cuda.h", "cu", CUDA_MODES) - INLINE_IN_HEADER
        lines = ["#include <cstdio>", "#include <type_traits>", "#include <cudaTypedefs.h>", "int main() {"]
        for row in rows:
            if row.symbol in declared:
                suffix = row.symbol[-5:] if row.stream_mode == "kPerThread" else ""
                function_type = f"PFN_{row.proc_name}_v{row.since}{suffix}"
                lines.append(f'if (!std::is_same_v<decltype(&{row.symbol}), {function_type}>) puts("{row.symbol}");')
        with tempfile.TemporaryDirectory() as folder:
            source, program = pathlib.Path(folder, "types.cc"), pathlib.Path(folder, "types")
            source.write_text("\n".join([*lines, "}"]))
            subprocess.run([self.compiler, "-std=c++20", "-w", "-D__CUDA_API_VERSION_INTERNAL", f"-I{self.include}",
                            str(source), "-o", str(program)], check=True)
            return subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()


def expected_stream_mode(symbol: str, name: Name, symbols: set[str]) -> str:
    if name.per_thread:
        return "kPerThread"
    return "kLegacy" if {symbol + "_ptsz", symbol + "_ptds"} & symbols else "kAny"


def cuda_breaches(headers: Headers, rows: list[driver_table.Row]):
    names = headers.cuda_names()
    names |= {symbol: Name(symbol, 0, False) for symbol in CUDA_UNDECLARED}
    table = {row.symbol: row for row in rows}
    for symbol in sorted(names.keys() - table.keys()):
        yield f"{symbol} is exported by the driver and has no row"
    for symbol in sorted(table.keys() - names.keys()):
        yield f"{symbol} has a row and is in no header"
    for symbol in sorted(names.keys() & table.keys()):
        row, name = table[symbol], names[symbol]
        mode = expected_stream_mode(symbol, name, set(names))
        if (row.proc_name, row.since, row.stream_mode) != (name.proc_name, name.since, mode):
            yield f"{symbol} is ({name.proc_name}, {name.since}, {mode}) in the headers, not {row[4:]}"
    for symbol in headers.wrong_types([row for row in rows if names.get(row.symbol, row)[:2] == row[4:6]]):
        yield f"{symbol} has another C type than {table[symbol].proc_name} of version {table[symbol].since}"


def nvml_breaches(headers: Headers, rows: list[driver_table.Row]):
    declared = headers.functions("nvml.h", "nvml", NVML_MODES) | NVML_UNDECLARED
    listed = {row.symbol for row in rows}
    for symbol in sorted(declared - listed):
        yield f"{symbol} is exported by NVML and has no row"
    for symbol in sorted(listed - declared):
        yield f"{symbol} has a row and is in no header"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="c++")
    headers = Headers(parser.parse_args().compiler)
    rows = list(driver_table.rows(ROOT))
    cuda = [row for row in rows if row.topic.startswith("cuda_")]
    nvml = [row for row in rows if row.topic.startswith("nvml_")]
    breaches = [*cuda_breaches(headers, cuda), *nvml_breaches(headers, nvml)]
    print("\n".join(breaches) or f"{len(cuda)} CUDA and {len(nvml)} NVML symbols agree with the headers")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())

"""The rows of src/abi/driver/entry_points/*.def, for scripts: one row a line, as the C preprocessor sees them."""

import pathlib
import re
from typing import Iterator, NamedTuple

FOLDER = "src/abi/driver/entry_points"
EFFECTS = ("kAllocates", "kFrees", "kSubmits", "kQueries", "kNeither")
STREAM_MODES = ("kAny", "kLegacy", "kPerThread")
HANDLINGS = ("HOOK", "PASS")

CUDA_ROW = re.compile(r"CUDA_ENTRY\((\w+), *(\w+), *(\d+), *(\w+), *(\w+), *(\w+)\)")
CUDA_ALIAS = re.compile(r"CUDA_ALIAS\((\w+), *(\d+), *(\w+)\)")
NVML_ROW = re.compile(r"NVML_ENTRY\((\w+), *(\w+), *(\w+)\)")


class Row(NamedTuple):
    """One exported symbol. NVML symbols have no proc_name, since or stream_mode."""

    topic: str  # the .def file, without its ending
    symbol: str
    effect: str
    handling: str
    proc_name: str = ""
    since: int = 0
    stream_mode: str = "kAny"


class Alias(NamedTuple):
    proc_name: str
    since: int
    symbol: str


class Topic(NamedTuple):
    name: str
    title: str
    rows: list[Row]
    aliases: list[Alias]


def _row(topic: str, line: str) -> Row | None:
    if found := CUDA_ROW.fullmatch(line):
        symbol, proc_name, since, stream_mode, effect, handling = found.groups()
        row = Row(topic, symbol, effect, handling, proc_name, int(since), stream_mode)
    elif found := NVML_ROW.fullmatch(line):
        row = Row(topic, *found.groups())
    else:
        return None
    if row.effect not in EFFECTS or row.handling not in HANDLINGS or row.stream_mode not in STREAM_MODES:
        raise ValueError(f"{topic}.def: {row.symbol} is not classified: {line}")
    return row


def _topic(path: pathlib.Path) -> Topic:
    title, *lines = path.read_text().splitlines()
    topic = Topic(path.stem, title.removeprefix("// "), [], [])
    for line in lines:
        if row := _row(path.stem, line):
            topic.rows.append(row)
        elif found := CUDA_ALIAS.fullmatch(line):
            topic.aliases.append(Alias(found[1], int(found[2]), found[3]))
        elif line and not line.startswith("//"):
            raise ValueError(f"{path.name}: not a row: {line}")
    return topic


def topics(root: pathlib.Path) -> list[Topic]:
    """Every topic file, in the order entry_points.def includes them."""
    listed = (root / "src/abi/driver/entry_points.def").read_text()
    names = re.findall(r'#include "abi/driver/entry_points/(\w+)\.def"', listed)
    unlisted = {path.stem for path in (root / FOLDER).glob("*.def")} - set(names)
    if unlisted:
        raise ValueError(f"entry_points.def does not include {', '.join(sorted(unlisted))}")
    return [_topic(root / FOLDER / f"{name}.def") for name in names]


def rows(root: pathlib.Path) -> Iterator[Row]:
    for topic in topics(root):
        yield from topic.rows

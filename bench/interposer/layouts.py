"""The same libraries with their code in other places: each linked anew from the objects of a build, in another order."""

import os
import pathlib
import random
import shlex
import subprocess

# What lies between the program and the card, as targets of the build. The drivers that do nothing stay as they are.
LIBRARIES = ("lib/warpshare/libcuda.so.1", "lib/simgpu/libcuda.so.1")
UNCHANGED = ("bin/bench_interposer", "lib/bench_null_driver/libcuda.so.1", "lib/bench_cold_driver/libcuda.so.1",
             "lib/bench_empty/libempty_1.so", "lib/bench_empty/libempty_2.so", "lib/warpshare/libnvidia-ml.so.1",
             "lib/simgpu/libnvidia-ml.so.1")


def reordered(words: list[str], seed: int) -> list[str]:
    """The words of a link command with its objects in another order; archives keep their places behind them."""
    at = [index for index, word in enumerate(words) if word.endswith(".o")]
    objects = [words[index] for index in at]
    random.Random(seed).shuffle(objects)
    placed = dict(zip(at, objects))
    return [placed.get(index, word) for index, word in enumerate(words)]


def link_words(commands: str, library: str) -> list[str]:
    """Of all that ninja would run for a library, the command that links it, without the shell's `: &&` around it."""
    for line in reversed(commands.splitlines()):
        words = shlex.split(line)
        if "-shared" in words and library in words:
            return [word for word in words if word not in (":", "&&")]
    raise SystemExit(f"bench interposer: ninja says of no command that it links {library}")


def make(build: pathlib.Path, folder: pathlib.Path, seed: int) -> None:
    """In the empty `folder` a tree like the build's, with both libraries linked in the order of `seed`."""
    for name in (*LIBRARIES, *UNCHANGED):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
    for name in UNCHANGED:
        os.link((build / name).resolve(), folder / name)
    for library in LIBRARIES:
        commands = subprocess.run(["ninja", "-C", build, "-t", "commands", library], check=True, text=True, stdout=subprocess.PIPE).stdout
        words = reordered(link_words(commands, library), seed)
        words[words.index(library)] = str(folder / library)
        subprocess.run(words, check=True, cwd=build)

"""Container images from local files: a root file system in, the tar that `docker save` would write out."""

import dataclasses
import hashlib
import io
import json
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
from typing import Iterable, Sequence

from lab.layout import FOLDER, Failure

BUSYBOX = pathlib.Path("/bin/busybox")
PAUSE_IMAGE = "warpshare.test/pause:1"


def image_name(name: str) -> str:
    """Full, as containerd keeps it; a pod that names the short form gets the same."""
    if ":" not in name.rsplit("/", 1)[-1]:
        name += ":latest"
    if "/" not in name:
        return f"docker.io/library/{name}"
    first = name.split("/", 1)[0]
    return name if "." in first or ":" in first or first == "localhost" else f"docker.io/{name}"


def add_busybox(root: pathlib.Path) -> None:
    """A shell and the usual commands, for images whose programs need some."""
    (root / "bin").mkdir(parents=True, exist_ok=True)
    (root / "tmp").mkdir(exist_ok=True)
    shutil.copy2(BUSYBOX, root / "bin/busybox")
    for name in subprocess.run([BUSYBOX, "--list"], check=True, capture_output=True, text=True).stdout.split():
        link = root / "bin" / name
        if not link.exists() and not link.is_symlink():
            link.symlink_to("busybox")


def add_program(root: pathlib.Path, wanted: str) -> None:
    """PATH or PATH=PATH_IN_IMAGE; a dynamic program or library brings what it is linked with, at the same paths."""
    source, _, target = wanted.partition("=")
    if not pathlib.Path(source).is_file():
        raise Failure(f"no such file: {source}")
    copy_file(source, root, target or str(pathlib.Path(source).absolute()))
    # ldd fails for what is static or no ELF file; there is nothing to bring then.
    for line in subprocess.run(["ldd", source], capture_output=True, text=True).stdout.splitlines():
        paths = [word for word in line.split() if word.startswith("/")]
        if paths:
            copy_file(paths[0], root, paths[0])


def copy_file(source: str, root: pathlib.Path, target: str) -> None:
    place = root / target.lstrip("/")
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.exists():
        shutil.copy2(source, place)


def write_image(name: str, root: pathlib.Path, entrypoint: Sequence[str], archive: pathlib.Path) -> None:
    layer = io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as files:
        for path in sorted(root.iterdir()):
            files.add(path, arcname=path.name, filter=_as_root)
    digest = hashlib.sha256(layer.getvalue()).hexdigest()
    config = json.dumps({
        "architecture": "amd64", "os": "linux", "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}"]},
        "config": {"Entrypoint": list(entrypoint) or None, "Env": ["PATH=/usr/local/bin:/usr/bin:/bin"]},
    }).encode()
    manifest = json.dumps([{"Config": "config.json", "RepoTags": [image_name(name)], "Layers": ["layer.tar"]}]).encode()
    with tarfile.open(archive, "w") as whole:
        for member, content in (("config.json", config), ("layer.tar", layer.getvalue()), ("manifest.json", manifest)):
            entry = tarfile.TarInfo(member)
            entry.size = len(content)
            whole.addfile(entry, io.BytesIO(content))


def _as_root(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = "root"
    return entry


@dataclasses.dataclass
class Content:
    """The folder's files, then busybox, then the programs; what came first stays."""
    folder: pathlib.Path | None = None
    programs: Iterable[str] = ()
    entrypoint: Sequence[str] = ()
    bare: bool = False  # no busybox


def build(name: str, archive: pathlib.Path, content: Content) -> None:
    with tempfile.TemporaryDirectory(dir=archive.parent) as scratch:
        root = pathlib.Path(scratch)
        if content.folder is not None:
            shutil.copytree(content.folder, root, symlinks=True, dirs_exist_ok=True)
        if not content.bare:
            add_busybox(root)
        for program in content.programs:
            add_program(root, program)
        write_image(name, root, content.entrypoint, archive)


def build_pause(archive: pathlib.Path) -> None:
    with tempfile.TemporaryDirectory(dir=archive.parent) as scratch:
        program = pathlib.Path(scratch) / "pause"
        subprocess.run(["cc", "-static", "-Os", "-s", "-o", program, FOLDER / "pause.c"], check=True)
        write_image(PAUSE_IMAGE, pathlib.Path(scratch), ["/pause"], archive)

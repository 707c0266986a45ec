"""The cluster's programs, built from their Go modules once a version and kept in the user's cache.

Each folder under go/ pins one project in its go.mod. Where modules come from is Go's own matter (GOPROXY). KWOK is built
when fake nodes are asked for, and not before.
"""

import fcntl
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

from lab.layout import FOLDER, Failure, cache_folder

GO_WANTED = (1, 26)
FLAGS = ("-trimpath", "-buildvcs=false", "-tags", "no_btrfs,no_devmapper,no_zfs")
KUBERNETES_STAMP = ("-X k8s.io/component-base/version.gitVersion={0} -X k8s.io/component-base/version.gitMajor=1 "
                    "-X k8s.io/component-base/version.gitMinor={1} -X k8s.io/client-go/pkg/version.gitVersion={0}")


class Project(NamedTuple):
    """One module folder: the requirement that gives the version, and program -> package."""

    folder: str
    module: str
    programs: dict[str, str]


def named(prefix: str, *programs: str) -> dict[str, str]:
    return {program: f"{prefix}/{program}" for program in programs}


KWOK = Project("kwok", "sigs.k8s.io/kwok", {"kwok": "sigs.k8s.io/kwok/cmd/kwok"})
PROJECTS = (
    Project("kubernetes", "k8s.io/kubernetes", named(
        "k8s.io/kubernetes/cmd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy",
        "kubectl")),
    Project("containerd", "github.com/containerd/containerd/v2", named(
        "github.com/containerd/containerd/v2/cmd", "containerd", "containerd-shim-runc-v2", "ctr")),
    Project("etcd", "go.etcd.io/etcd/server/v3", {"etcd": "go.etcd.io/etcd/server/v3"}),
    KWOK,
)
# KWOK's own description of how a node and a pod that nobody runs behave.
STAGES = ("kustomize/stage/node/fast/node-initialize.yaml",
          "kustomize/stage/node/heartbeat-with-lease/node-heartbeat-with-lease.yaml",
          "kustomize/stage/pod/fast/pod-ready.yaml", "kustomize/stage/pod/fast/pod-complete.yaml",
          "kustomize/stage/pod/fast/pod-delete.yaml")


def module_folder(project: Project) -> pathlib.Path:
    return FOLDER / "go" / project.folder


def version(project: Project) -> str:
    text = (module_folder(project) / "go.mod").read_text()
    return re.search(rf"^\s*(?:require )?{re.escape(project.module)} (v\S+)", text, re.MULTILINE).group(1)


def bin_folder() -> pathlib.Path:
    """Named by what is built and how, so that another version is another folder."""
    digest = hashlib.sha256()
    for project in PROJECTS:
        for name in ("go.mod", "go.sum"):
            digest.update((module_folder(project) / name).read_bytes())
        digest.update(repr((project, FLAGS, STAGES, stamp(project))).encode())
    return cache_folder() / digest.hexdigest()[:12]


def require_go() -> None:
    mend = (f"put Go {GO_WANTED[0]}.{GO_WANTED[1]} or later on PATH; "
            "everything else of warpshare builds and is tested without it")
    try:
        said = subprocess.run(["go", "env", "GOVERSION"], cwd=module_folder(PROJECTS[0]), capture_output=True, text=True)
    except FileNotFoundError:
        raise Failure(f"the test cluster is built with Go, and there is none here: {mend}") from None
    found = re.match(r"go(\d+)\.(\d+)", said.stdout)
    if not found or tuple(map(int, found.groups())) < GO_WANTED:
        raise Failure(f"this Go is too old ({said.stdout.strip() or said.stderr.strip()}): {mend}")


def stamp(project: Project) -> str:
    found = version(project)
    if project.folder == "kubernetes":
        return KUBERNETES_STAMP.format(found, found.split(".")[1])
    if project.folder == "containerd":
        return f"-X github.com/containerd/containerd/v2/version.Version={found.removeprefix('v')}"
    return f"-X sigs.k8s.io/kwok/pkg/consts.Version={found}" if project.folder == "kwok" else ""


def go_build(project: Project, target: pathlib.Path) -> None:
    """All programs of a project in one go, so that one is linked while another compiles."""
    jobs = os.environ.get("WARPSHARE_JOBS") or str(os.cpu_count())
    command = ["go", "build", "-v", "-p", jobs, *FLAGS, "-ldflags", f"-s -w {stamp(project)}", "-o", f"{target}/",
               *project.programs.values()]
    started, packages, last_lines = time.monotonic(), 0, []
    with subprocess.Popen(command, cwd=module_folder(project), env={**os.environ, "CGO_ENABLED": "0"}, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as build:
        said = started
        for line in build.stderr:
            packages += 1
            last_lines = [*last_lines[-20:], line]
            if time.monotonic() - said > 15:
                said = time.monotonic()
                print(f"    {said - started:4.0f} s, {packages} packages compiled", file=sys.stderr, flush=True)
    if build.returncode != 0:
        raise Failure(f"{' '.join(command)} failed in {module_folder(project)}:\n{''.join(last_lines)}")
    print(f"    {time.monotonic() - started:4.0f} s", file=sys.stderr, flush=True)


def copy_stages(target: pathlib.Path) -> None:
    """Of KWOK's sources, which may not be on this machine yet."""
    command = ["go", "mod", "download", "-json", KWOK.module]
    found = subprocess.run(command, cwd=module_folder(KWOK), capture_output=True, text=True)
    if found.returncode != 0:
        raise Failure(f"{' '.join(command)} failed in {module_folder(KWOK)}:\n{found.stdout}{found.stderr}")
    source = json.loads(found.stdout)["Dir"]
    target.write_text("\n---\n".join((pathlib.Path(source) / stage).read_text() for stage in STAGES))


def missing(with_fake_nodes: bool) -> list[Project]:
    """What is not built yet, of all or of all but KWOK."""
    folder = bin_folder()
    wanted = [project for project in PROJECTS if with_fake_nodes or project is not KWOK]
    return [project for project in wanted if not all((folder / program).exists() for program in project.programs)]


def ensure(with_fake_nodes: bool = True) -> pathlib.Path:
    """Builds what is not there yet; a build that was cut short goes on where it was."""
    folder = bin_folder()
    if not missing(with_fake_nodes):
        return folder
    require_go()
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = missing(with_fake_nodes)
        for number, project in enumerate(wanted, 1):
            print(f"[{number}/{len(wanted)}] {project.folder} {version(project)}: {', '.join(project.programs)}",
                  file=sys.stderr, flush=True)
            build(project, folder)
    return folder


def build(project: Project, folder: pathlib.Path) -> None:
    """A program that is in FOLDER is whole: it was made elsewhere and renamed."""
    if project is KWOK:
        copy_stages(folder / "stages.new")
        (folder / "stages.new").rename(folder / "kwok-stages.yaml")
    with tempfile.TemporaryDirectory(dir=folder, prefix="new-") as made:
        go_build(project, pathlib.Path(made))
        for program, package in project.programs.items():
            (pathlib.Path(made) / built_name(package)).rename(folder / program)


def built_name(package: str) -> str:
    """As `go build` names a program: by its folder, but not by its major version."""
    *_, before, last = package.split("/")
    return before if re.fullmatch(r"v\d+", last) else last

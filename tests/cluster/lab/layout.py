"""Where a cluster keeps what, and the addresses it uses inside its namespaces. No I/O but reading templates."""

import hashlib
import os
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent.parent
CONFIG = FOLDER / "config"
NODES = (1, 2)

# Nothing outside the cluster's own network namespaces ever sees these.
CONTROL_PLANE_ADDRESS = "10.81.0.1"
SERVICE_RANGE = "10.96.0.0/16"
KUBERNETES_SERVICE = "10.96.0.1"
API_PORT = 6443


class Failure(Exception):
    """What went wrong and how to mend it, in words for the user."""


def node_name(number: int) -> str:
    return f"node-{number}"


def node_address(number: int) -> str:
    return f"10.81.0.{10 + number}"


def pod_range(number: int) -> str:
    return f"10.82.{number}.0/24"


def cache_folder() -> pathlib.Path:
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "warpshare/cluster"


class State:
    """The folder of one cluster. All of it is removed by `down`."""

    def __init__(self, folder: pathlib.Path | None = None):
        named = folder or os.environ.get("WARPSHARE_CLUSTER_DIR") or "/var/tmp/warpshare-cluster"
        self.folder = pathlib.Path(named).absolute()
        # Without it `down` touches nothing: the folder's name may come from a variable with a slip in it.
        self.mark = self.folder / "warpshare-test-cluster"
        self.supervisor_record = self.folder / "supervisor.json"
        self.supervisor_socket = self.folder / "supervisor.sock"
        self.made_folders = self.folder / "made-folders"
        self.handed_down = self.folder / "cgroup-controllers"
        self.choices = self.folder / "choices.json"
        # The programs: where they were built, and where the cluster's own mounts show them.
        self.built = self.folder / "built"
        self.programs = self.folder / "programs"
        self.logs = self.folder / "logs"
        self.certificates = self.folder / "certificates"
        self.config = self.folder / "config"
        self.images = self.folder / "images"
        self.admin_kubeconfig = self.folder / "kubeconfig"
        # A cgroup path is the same in every hierarchy, so two clusters differ in it as their folders do.
        self.cgroup = f"warpshare-cluster-{hashlib.sha256(str(self.folder).encode()).hexdigest()[:8]}"

    def node(self, number: int) -> pathlib.Path:
        """What stands for the node's own disk."""
        return self.folder / node_name(number)

    def log(self, name: str) -> pathlib.Path:
        return self.logs / f"{name}.log"


def filled(template: str, **values: object) -> str:
    """The text of config/TEMPLATE with each @NAME@ replaced; a name without a value is an error."""
    return filled_text((CONFIG / template).read_text(), **values)


def filled_text(text: str, **values: object) -> str:
    return re.sub(r"@([A-Z_]+)@", lambda found: str(values[found.group(1).lower()]), text)

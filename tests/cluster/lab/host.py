"""What the machine must have: Debian's packages, cgroups. Each lack is named with its mend."""

import os
import shutil
import subprocess

from lab.cgroups import hierarchies
from lab.images import BUSYBOX
from lab.layout import Failure

# Program -> Debian package; tools/dev deps installs them.
PROGRAMS = {"runc": "runc", "ip": "iproute2", "iptables-restore": "iptables", "busybox": "busybox-static",
            "openssl": "openssl", "nsenter": "util-linux", "setpriv": "util-linux", "cc": "gcc"}
CNI_FOLDER = "/usr/lib/cni"
SEARCH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def missing_packages() -> list[str]:
    missing = {package for program, package in PROGRAMS.items() if not shutil.which(program, path=SEARCH)}
    if not os.path.exists(f"{CNI_FOLDER}/ptp"):
        missing.add("containernetworking-plugins")
    # The package busybox has the same program, but linked dynamically: an image could not hold it alone.
    if not missing and subprocess.run(["ldd", BUSYBOX], capture_output=True).returncode == 0:
        missing.add("busybox-static")
    return sorted(missing)


def require_rights() -> None:
    """That what runs as root will be let do it, with nobody there to type a password."""
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if as_root and (not shutil.which("sudo") or subprocess.run([*as_root, "true"], capture_output=True).returncode != 0):
        raise Failure("a kubelet needs root: run it as root, or as who may use sudo without a password")
    made = subprocess.run([*as_root, "unshare", "--mount", "--net", "--pid", "--fork", "true"], capture_output=True, text=True)
    if made.returncode != 0:
        raise Failure(f"no namespaces can be made here ({made.stderr.strip()}): a container must be started with --privileged")


def require() -> None:
    if missing := missing_packages():
        raise Failure(f"the test cluster needs the Debian packages {' '.join(missing)}: run tools/dev deps")
    if not hierarchies():
        raise Failure("no cgroups are mounted on /sys/fs/cgroup; a container must be started with them (--privileged)")

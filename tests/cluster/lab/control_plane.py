"""etcd, API server, controller manager and scheduler, as an ordinary user in the control plane's network namespace."""

import os
import pathlib
import shutil
import subprocess
import sys

from lab.daemons import start, wait_for_daemon
from lab.kubectl import in_reach
from lab.layout import API_PORT, CONTROL_PLANE_ADDRESS, FOLDER, SERVICE_RANGE, State, filled, filled_text

NOBODY = 65534
ETCD = "http://127.0.0.1:2379"
HEALTH = {
    "etcd": f"{ETCD}/health",
    "kube-apiserver": f"https://127.0.0.1:{API_PORT}/readyz",
    "kube-controller-manager": "https://127.0.0.1:10257/healthz",
    "kube-scheduler": "https://127.0.0.1:10259/healthz",
}


def unprivileged() -> list[str]:
    """Who called sudo, else nobody."""
    user, group = os.environ.get("SUDO_UID", NOBODY), os.environ.get("SUDO_GID", NOBODY)
    return ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", "--inh-caps=-all"]


def give_to_unprivileged(*paths: pathlib.Path) -> None:
    user, group = int(os.environ.get("SUDO_UID", NOBODY)), int(os.environ.get("SUDO_GID", NOBODY))
    for path in paths:
        shutil.chown(path, user, group)


def share_with_root(path: pathlib.Path) -> None:
    """By its group: a daemon that gave up its rights may read no more of other users' files than anybody."""
    shutil.chown(path, group=0)
    path.chmod(0o640)


def start_etcd(state: State) -> None:
    data = state.folder / "etcd"
    data.mkdir(mode=0o700, exist_ok=True)
    give_to_unprivileged(data)
    # Nobody needs this data after a power cut, and a write to disk for each key costs most of a small machine's time.
    start(state, "etcd", [*unprivileged(), state.programs / "etcd", "--data-dir", data, "--unsafe-no-fsync",
                          "--listen-client-urls", ETCD, "--advertise-client-urls", ETCD,
                          "--listen-peer-urls", "http://127.0.0.1:2380", "--log-level", "warn",
                          "--quota-backend-bytes", 4 << 30, "--auto-compaction-retention", "5m"])


def start_api_server(state: State) -> None:
    certificates = state.certificates
    start(state, "kube-apiserver", [
        *unprivileged(), state.programs / "kube-apiserver", f"--etcd-servers={ETCD}",
        f"--advertise-address={CONTROL_PLANE_ADDRESS}", f"--secure-port={API_PORT}",
        f"--service-cluster-ip-range={SERVICE_RANGE}", "--authorization-mode=Node,RBAC",
        "--enable-admission-plugins=NodeRestriction", "--allow-privileged=true", "--endpoint-reconciler-type=lease",
        # Webhooks named by a Service are reached at its pods: no service addresses in this namespace.
        "--enable-aggregator-routing=true",
        f"--client-ca-file={certificates}/ca.crt",
        f"--tls-cert-file={certificates}/kube-apiserver.crt", f"--tls-private-key-file={certificates}/kube-apiserver.key",
        f"--kubelet-client-certificate={certificates}/kubelet-client.crt",
        f"--kubelet-client-key={certificates}/kubelet-client.key",
        f"--kubelet-certificate-authority={certificates}/ca.crt", "--kubelet-preferred-address-types=InternalIP",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={certificates}/service-accounts.pub",
        f"--service-account-signing-key-file={certificates}/service-accounts.key",
        # Benchmarks ask for more at once than a small machine's default share.
        "--max-requests-inflight=3000", "--max-mutating-requests-inflight=1500",
    ])


def start_controller_manager(state: State) -> None:
    certificates, kubeconfig = state.certificates, state.config / "kube-controller-manager.kubeconfig"
    start(state, "kube-controller-manager", [
        *unprivileged(), state.programs / "kube-controller-manager", f"--kubeconfig={kubeconfig}",
        f"--authentication-kubeconfig={kubeconfig}", f"--authorization-kubeconfig={kubeconfig}",
        "--leader-elect=false", "--use-service-account-credentials=true", "--bind-address=127.0.0.1",
        f"--cluster-signing-cert-file={certificates}/ca.crt", f"--cluster-signing-key-file={certificates}/ca.key",
        f"--root-ca-file={certificates}/ca.crt",
        f"--service-account-private-key-file={certificates}/service-accounts.key",
        "--kube-api-qps=1000", "--kube-api-burst=2000",
    ])


def write_scheduler_config(state: State, extender: str | None, config: str | None) -> None:
    """A whole configuration of the user's own (@KUBECONFIG@ in it is replaced), or ours with the extender's URL in it."""
    kubeconfig = state.config / "kube-scheduler.kubeconfig"
    if config:
        text = filled_text(pathlib.Path(config).read_text(), kubeconfig=kubeconfig)
    else:
        extenders = filled("extender.yaml", url=extender) if extender else ""
        text = filled("kube-scheduler.yaml", kubeconfig=kubeconfig, extenders=extenders)
    (state.config / "kube-scheduler.yaml").write_text(text)


def start_scheduler(state: State) -> None:
    kubeconfig = state.config / "kube-scheduler.kubeconfig"
    start(state, "kube-scheduler", [
        *unprivileged(), state.programs / "kube-scheduler", f"--config={state.config}/kube-scheduler.yaml",
        f"--authentication-kubeconfig={kubeconfig}", f"--authorization-kubeconfig={kubeconfig}",
        "--bind-address=127.0.0.1"])


def healthy(state: State, url: str) -> bool:
    asked = subprocess.run(
        [*in_reach(state), sys.executable, "-m", "lab.probe", url,
         state.certificates / "admin.crt", state.certificates / "admin.key"],
        cwd=FOLDER, stdin=subprocess.DEVNULL, capture_output=True)
    return asked.returncode == 0


def wait_healthy(state: State, name: str) -> None:
    wait_for_daemon(state, name, lambda: healthy(state, HEALTH[name]), 120)


def start_all(state: State) -> None:
    give_to_unprivileged(*state.certificates.iterdir(), *state.config.glob("*.kubeconfig"))
    share_with_root(state.certificates / "admin.key")
    start_etcd(state)
    wait_healthy(state, "etcd")
    start_api_server(state)
    wait_healthy(state, "kube-apiserver")
    start_controller_manager(state)
    start_scheduler(state)
    wait_healthy(state, "kube-controller-manager")
    wait_healthy(state, "kube-scheduler")

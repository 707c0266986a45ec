"""The cluster's certificates and kubeconfigs, by the openssl command. They live as long as the cluster's folder."""

import pathlib
import subprocess

from lab.layout import API_PORT, CONTROL_PLANE_ADDRESS, KUBERNETES_SERVICE, NODES, State, filled, node_address, node_name

DAYS = "3650"
# Client: (common name, group).
CLIENTS = {
    "admin": ("warpshare-admin", "system:masters"),
    "kubelet-client": ("kube-apiserver", "system:masters"),
    "kube-controller-manager": ("system:kube-controller-manager", ""),
    "kube-scheduler": ("system:kube-scheduler", ""),
    "kube-proxy": ("system:kube-proxy", ""),
    "kwok": ("kwok", "system:masters"),
    **{node_name(number): (f"system:node:{node_name(number)}", "system:nodes") for number in NODES},
}
SERVING_NAMES = (f"DNS:kubernetes.default.svc,DNS:kubernetes.default,DNS:kubernetes,DNS:localhost,"
                 f"IP:{CONTROL_PLANE_ADDRESS},IP:{KUBERNETES_SERVICE},IP:127.0.0.1")


def openssl(*words: object) -> None:
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)


def make(state: State) -> None:
    folder = state.certificates
    folder.mkdir(mode=0o711)
    key(folder / "ca")
    openssl("req", "-x509", "-new", "-key", folder / "ca.key", "-subj", "/CN=warpshare-cluster", "-days", DAYS,
            "-addext", "keyUsage=critical,keyCertSign,digitalSignature", "-out", folder / "ca.crt")
    key(folder / "service-accounts")
    openssl("ec", "-in", folder / "service-accounts.key", "-pubout", "-out", folder / "service-accounts.pub")
    sign(folder, "kube-apiserver", "/CN=kube-apiserver", f"subjectAltName={SERVING_NAMES}\nextendedKeyUsage=serverAuth")
    for number in NODES:
        sign(folder, f"{node_name(number)}-serving", f"/CN={node_name(number)}",
             f"subjectAltName=IP:{node_address(number)},DNS:{node_name(number)}\nextendedKeyUsage=serverAuth")
    for client, (name, group) in CLIENTS.items():
        sign(folder, client, (f"/O={group}" if group else "") + f"/CN={name}", "extendedKeyUsage=clientAuth")
        if client != "kubelet-client":
            write_kubeconfig(state, client)
    state.admin_kubeconfig.write_text((state.config / "admin.kubeconfig").read_text())
    state.admin_kubeconfig.chmod(0o600)


def key(path: pathlib.Path) -> None:
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", f"{path}.key")


def sign(folder: pathlib.Path, name: str, subject: str, extensions: str) -> None:
    key(folder / name)
    request, wanted = folder / f"{name}.csr", folder / f"{name}.ext"
    wanted.write_text(extensions + "\n")
    openssl("req", "-new", "-key", folder / f"{name}.key", "-subj", subject, "-out", request)
    openssl("x509", "-req", "-in", request, "-CA", folder / "ca.crt", "-CAkey", folder / "ca.key", "-CAcreateserial",
            "-days", DAYS, "-extfile", wanted, "-out", folder / f"{name}.crt")
    request.unlink()
    wanted.unlink()


def write_kubeconfig(state: State, client: str) -> None:
    text = filled("kubeconfig.yaml", server=f"https://{CONTROL_PLANE_ADDRESS}:{API_PORT}", client=client,
                  certificates=state.certificates)
    (state.config / f"{client}.kubeconfig").write_text(text)

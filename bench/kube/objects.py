"""Nodes with cards and pods, as the API server takes them."""

TYPE = {"type": "kwok"}  # KWOK keeps the nodes with this label alive


def card_uuid(node: int, card: int) -> str:
    return f"GPU-{node:08x}-0000-0000-0000-{card:012x}"


def mebibytes(size: str) -> int:
    """16GiB or 1000MiB."""
    return int(size[:-3]) * {"MiB": 1, "GiB": 1024}[size[-3:]]


def node(number: int, name: str, host: dict[str, str], cards: list[str], slots: int) -> dict:
    """CARDS are what follows the uuid of each: memory:slots:health:numa:link:model."""
    memory = sum(mebibytes(card.partition(":")[0]) for card in cards)
    room = {**host, "warpshare.io/gpu": str(len(cards) * slots),
            "warpshare.io/gpu-memory": str(memory), "warpshare.io/gpu-cores": str(len(cards) * 100)}
    text = ";".join(["v1", *(f"{card_uuid(number, place)}:{card}" for place, card in enumerate(cards))])
    return {"apiVersion": "v1", "kind": "Node",
            "metadata": {"name": name, "labels": {**TYPE, "kubernetes.io/hostname": name},
                         "annotations": {"kwok.x-k8s.io/node": "fake", "warpshare.io/cards": text}},
            "status": {"allocatable": room, "capacity": room}}


def pod(name: str, requests: dict[str, str], limits: dict[str, str], **spec) -> dict:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name},
            "spec": {"automountServiceAccountToken": False, "enableServiceLinks": False,
                     "containers": [{"name": "main", "image": "none", "resources": {
                         "requests": {**requests, **limits}, "limits": limits}}], **spec}}

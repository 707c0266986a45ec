"""The API server of a test cluster, as far as benchmarks need it: objects made over several connections, and a watch.

To be used where the API server can be reached: below `cluster exec`, which sets KUBECONFIG.
"""

import concurrent.futures
import http.client
import json
import os
import pathlib
import ssl
import sys
import time
from typing import Callable

CONNECTIONS = 8
ADDRESS, PORT = "10.81.0.1", 6443
OK, CREATED = 200, 201
PATIENCE = 300
LONGEST_IDLE = 20  # seconds
NOW = {"kind": "DeleteOptions", "apiVersion": "v1", "gracePeriodSeconds": 0, "propagationPolicy": "Background"}
NODES = "/api/v1/nodes"


class ApiError(Exception):
    pass


def connect(timeout: float | None = 90) -> http.client.HTTPSConnection:
    """As the administrator of the cluster that KUBECONFIG lies in."""
    certificates = pathlib.Path(os.environ["KUBECONFIG"]).parent / "certificates"
    context = ssl.create_default_context(cafile=str(certificates / "ca.crt"))
    context.load_cert_chain(certificates / "admin.crt", certificates / "admin.key")
    return http.client.HTTPSConnection(ADDRESS, PORT, context=context, timeout=timeout)


def wait_until(what: str, is_so) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > deadline:
            raise ApiError(f"{what}: not within {PATIENCE} s")
        time.sleep(0.5)


def wait_for_scheduler() -> None:
    """Until warpshare-scheduler serves."""
    def serves() -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", 10380, timeout=10)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == OK
        except (OSError, http.client.HTTPException):
            return False
    wait_until("warpshare-scheduler", serves)


class Api:
    """One connection, made anew when it has lain idle for too long; one request at a time."""

    def __init__(self):
        self._connection, self._used = connect(), time.monotonic()

    def _awake(self) -> http.client.HTTPSConnection:
        if time.monotonic() - self._used > LONGEST_IDLE:
            self._connection.close()
            self._connection = connect()
        self._used = time.monotonic()
        return self._connection

    def ask(self, method: str, path: str, body: object = None, content: str = "application/json") -> dict:
        text = None if body is None else json.dumps(body).encode()
        connection = self._awake()
        connection.request(method, path, text, {"Content-Type": content})
        reply = connection.getresponse()
        said = reply.read()
        if reply.status not in (OK, CREATED):
            raise ApiError(f"{method} {path}: {reply.status} {said.decode(errors='replace')[:300]}")
        return json.loads(said)

    def create(self, path: str, thing: dict) -> None:
        self.ask("POST", path, thing)

    def merge(self, path: str, change: dict) -> None:
        self.ask("PATCH", path, change, "application/merge-patch+json")

    def delete(self, path: str) -> None:
        self.ask("DELETE", path, NOW)

    def delete_all(self, path: str) -> None:
        """Of a collection; returns when they are gone."""
        def are_gone() -> bool:
            try:
                self.delete(path)
            except (ApiError, OSError) as error:
                # Of thousands it takes longer than a request may; what is done by then stays done.
                print(f"bench: {error}; again", file=sys.stderr, flush=True)
                self._connection.close()
                self._connection = connect()
            return not self.ask("GET", f"{path}?limit=1")["items"]
        wait_until(f"the end of {path}", are_gone)


def for_all(things: list, do: Callable[[Api, object], None]) -> None:
    """In no particular order."""
    def do_part(first: int) -> None:
        api = Api()
        for thing in things[first::CONNECTIONS]:
            do(api, thing)
    with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(do_part, range(CONNECTIONS)))


def create_all(path: str, things: list[dict]) -> None:
    for_all(things, lambda api, thing: api.create(path, thing))


def make_nodes(wanted: list[dict]) -> None:
    """These nodes and no others."""
    there = {item["metadata"]["name"]: item["metadata"]["annotations"].get("warpshare.io/cards")
             for item in Api().ask("GET", NODES)["items"]}
    kept = {node["metadata"]["name"] for node in wanted
            if there.get(node["metadata"]["name"]) == node["metadata"]["annotations"]["warpshare.io/cards"]}
    for_all(sorted(there.keys() - kept), lambda api, name: api.delete(f"{NODES}/{name}"))
    missing = [node for node in wanted if node["metadata"]["name"] not in kept]
    create_all(NODES, missing)
    # Admission taints a new node as not ready, and the one who would take that off is not there.
    for_all(missing, lambda api, node: api.merge(f"{NODES}/{node['metadata']['name']}", {"spec": {"taints": None}}))


class Watch:
    """Objects of a collection as they change, from now on. The API server ends a watch that it finds slow to read, on a busy machine
    as on others: then it goes on where it was."""

    def __init__(self, path: str, selector: str = "", only_metadata: bool = False):
        query = f"fieldSelector={selector}&" if selector else ""
        self._target = f"{path}?{query}watch=1&resourceVersion="
        self._accept = "application/json" + (";as=PartialObjectMetadata;g=meta.k8s.io;v=v1" if only_metadata else "")
        self._begin(Api().ask("GET", f"{path}?{query}limit=1")["metadata"]["resourceVersion"])

    def _begin(self, since: str) -> None:
        self._last = b""
        self._since = since
        self._connection = connect(timeout=PATIENCE)
        self._connection.request("GET", self._target + since, headers={"Accept": self._accept})
        self._reply = self._connection.getresponse()
        if self._reply.status != OK:
            raise ApiError(f"watch {self._target}: {self._reply.status} {self._reply.read()[:300]}")

    def line(self) -> bytes:
        """The next event as it came: {"type":"ADDED",...}"""
        while not (line := self._reply.readline()):
            self._connection.close()
            self._begin(json.loads(self._last)["object"]["metadata"]["resourceVersion"] if self._last else self._since)
        self._last = line
        return line

    def next(self) -> dict:
        """The next object that came or changed."""
        while (event := json.loads(self.line()))["type"] not in ("ADDED", "MODIFIED"):
            if event["type"] == "ERROR":
                raise ApiError(f"watch: {event['object']}")
        return event["object"]

    def close(self) -> None:
        self._connection.close()

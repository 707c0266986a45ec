"""`python3 -m lab.post_nodes STATE COUNT TEMPLATE`: makes the fake nodes that are not there yet, over a few connections."""

import concurrent.futures
import http.client
import json
import pathlib
import ssl
import sys

from lab.fake_nodes import node
from lab.layout import API_PORT, CONTROL_PLANE_ADDRESS, Failure, State

CREATED, CONFLICT = 201, 409
CONNECTIONS = 8


def post(state: State, text: str, numbers: range) -> None:
    context = ssl.create_default_context(cafile=str(state.certificates / "ca.crt"))
    context.load_cert_chain(state.certificates / "admin.crt", state.certificates / "admin.key")
    connection = http.client.HTTPSConnection(CONTROL_PLANE_ADDRESS, API_PORT, context=context)
    for number in numbers:
        body = json.dumps(node(text, number)).encode()
        connection.request("POST", "/api/v1/nodes", body, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        said = reply.read()
        if reply.status not in (CREATED, CONFLICT):
            raise Failure(f"fake node {number}: {reply.status} {said.decode(errors='replace')[:300]}")


def main() -> int:
    state, count, text = State(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3]).read_text()
    with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
        posts = [pool.submit(post, state, text, range(first, count, CONNECTIONS)) for first in range(CONNECTIONS)]
    try:
        for done in posts:
            done.result()
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

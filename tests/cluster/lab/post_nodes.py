"""`python3 -m lab.post_nodes STATE COUNT TEMPLATE`: makes the fake nodes that are not there yet, over one kept connection."""

import http.client
import json
import pathlib
import ssl
import sys

from lab.fake_nodes import node
from lab.layout import API_PORT, CONTROL_PLANE_ADDRESS, State

CREATED, CONFLICT = 201, 409


def main() -> int:
    state, count, text = State(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3]).read_text()
    context = ssl.create_default_context(cafile=str(state.certificates / "ca.crt"))
    context.load_cert_chain(state.certificates / "admin.crt", state.certificates / "admin.key")
    connection = http.client.HTTPSConnection(CONTROL_PLANE_ADDRESS, API_PORT, context=context)
    for number in range(count):
        body = json.dumps(node(text, number))
        connection.request("POST", "/api/v1/nodes", body, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        said = reply.read()
        if reply.status not in (CREATED, CONFLICT):
            print(f"fake node {number}: {reply.status} {said.decode(errors='replace')[:300]}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

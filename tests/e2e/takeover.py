"""Two schedulers with one Lease, of which the first dies: says in how many seconds the other one binds a pod.

    takeover.py SCHEDULER KUBECONFIG NAMESPACE POD UID NODE
"""

import json
import subprocess
import sys
import time
import urllib.error
import urllib.request

PORTS = {"first": 10391, "second": 10392}
PATIENCE = 30


def post(port, path, body=None):
    """(status, answer); status 0 while nobody listens."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data=body and json.dumps(body).encode())
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
    except OSError:
        return 0, b""


def until(is_so):
    end = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > end:
            sys.exit("nobody served in time")
        time.sleep(0.01)


def main(program, kubeconfig, space, pod, uid, node):
    def start(name):
        return subprocess.Popen([program, "--kubeconfig", kubeconfig, "--port", str(PORTS[name]), "--identity", name,
                                 "--lease", "kube-system/takeover"])

    def has_bound():
        wanted = {"PodName": pod, "PodNamespace": space, "PodUID": uid, "Node": node}
        status, answer = post(PORTS["second"], "/scheduler/bind", wanted)
        return status == 200 and json.loads(answer).get("Error", "") == ""

    running = [start("first")]
    try:
        until(lambda: post(PORTS["first"], "/readyz")[0] == 200)
        running.append(start("second"))
        until(lambda: b"standby" in post(PORTS["second"], "/readyz")[1])
        running[0].kill()
        died = time.monotonic()
        until(has_bound)
        print(f"bound after {time.monotonic() - died:.2f} s")
    finally:
        for daemon in running:
            daemon.kill()
            daemon.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])

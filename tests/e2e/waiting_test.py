"""A pod that found no room starts soon after there is some, however long it has waited."""

import contextlib
import subprocess
import time

from gpu_case import GpuCase, apply, gpu_pod, kubectl, limits, unittest, wait_until
from cluster_case import CLUSTER, PATIENCE
from stage import needs_test_cluster

# Seconds from the end of who held a card, as the API server tells it, to a node for who waits.
SOON = 5
WATCH = (CLUSTER, "kubectl", "get", "pods", "--watch", "--output-watch-events", f"--request-timeout={PATIENCE}s", "-o",
         r'jsonpath={.type} {.object.metadata.name} {.object.spec.nodeName}{"\n"}')


@contextlib.contextmanager
def news():
    """Lines of the API server as they come: what happened, to which pod, and its node if it has one."""
    watch = subprocess.Popen(WATCH, text=True, stdout=subprocess.PIPE)
    try:
        yield (line.split() for line in watch.stdout)
    finally:
        watch.stdout.close()  # it ends when there is more to say, if it is root's and not ours to kill
        with contextlib.suppress(PermissionError):
            watch.kill()
            watch.wait()


@needs_test_cluster("fills every card")
class Waiting(GpuCase):
    def test_who_waits_is_woken_each_time_that_room_comes_free(self):
        holders = [f"holds-{n}" for n in range(4)]
        waiting = {f"waits-{n}" for n in range(8)}
        self.start(*(gpu_pod(name, limits(30_000)) for name in holders))
        self.addCleanup(kubectl, "delete", "pod", *waiting, "--ignore-not-found", "--wait=true", "--grace-period=1")
        apply(*(gpu_pod(name, limits(20_000)) for name in waiting))
        for name in waiting:
            wait_until(f"{name} is refused", lambda name=name: self.events(name))
        with news() as watch:
            took = [self.time_to_next_two(watch, holder, waiting) for holder in holders]
        print(f"(after {', '.join(f'{one:.1f}' for one in took)} s) ", end="", flush=True)
        self.assertLess(max(took), SOON)

    def time_to_next_two(self, watch, holder, waiting):
        """From the end of who held a card to nodes for as many as fit there, who are not among those that wait any more."""
        kubectl("delete", "pod", holder, "--wait=false", "--grace-period=1")
        gone, placed = None, []
        for what, name, *node in watch:
            if (what, name) == ("DELETED", holder):
                gone = time.monotonic()
            if node and name in waiting:
                waiting.discard(name)
                placed.append(time.monotonic())
            if gone and len(placed) == 2:
                return max(placed) - gone
        raise AssertionError("the watch ended")


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""Every container gets its own allocation, whatever starts at once and whatever ends meanwhile."""

from gpu_case import GpuCase, MIB, gpu_pod, in_mib, limits, unittest, wait_until
from stage import ON_USERS_CLUSTER, cluster, needs_test_cluster, nodes, slots

MANY = 50


class Identity(GpuCase):
    def assert_as_assigned(self, name):
        (card, memory, _) = self.assigned(name)["main"][0]
        (seen,) = self.said(name, r"^GPU 0: .*(GPU-[0-9a-f-]+)")
        self.assertEqual(seen, card, name)
        _, total = self.said(name, r"^sees (\d+) of (\d+)$")
        self.assertEqual(int(total), in_mib(memory) * MIB, name)

    def allocated(self):
        return sum(self.stage.allocated().values())

    def test_fifty_pods_at_once_have_each_exactly_their_own(self):
        # Where others have their parts, too, not all that there is.
        many = min(MANY, sum(map(slots, nodes())) // 2) if ON_USERS_CLUSTER else MANY
        names = [f"many-{n}" for n in range(many)]
        sizes = [512 if n % 2 else 512 + 8 * n for n in range(many)]
        self.start(*(gpu_pod(name, limits(size, 1)) for name, size in zip(names, sizes)))
        for name, size in zip(names, sizes):
            self.assert_as_assigned(name)
            self.assertEqual(in_mib(self.assigned(name)["main"][0][1]), size)
        if ON_USERS_CLUSTER:
            return
        # What earlier tests had counts until the nodes have reaped it.
        wait_until("the nodes have given away that alone", lambda: self.allocated() == sum(sizes) * MIB)
        self.doCleanups()
        wait_until("all is given back", lambda: self.allocated() == 0, seconds=180)

    @needs_test_cluster("restarts a kubelet")
    def test_a_kubelet_that_restarts_keeps_what_runs_and_starts_more(self):
        self.start(gpu_pod("before", limits(1000), node="node-1"))
        cluster("restart", "kubelet", "1")
        wait_until("the plugin is registered again", lambda: slots("node-1") == 32)
        self.start(gpu_pod("after", limits(2000), node="node-1"))
        for name in ("before", "after"):
            self.assert_as_assigned(name)

    @needs_test_cluster("restarts a daemon")
    def test_a_node_daemon_that_restarts_keeps_what_runs_and_starts_more(self):
        self.start(gpu_pod("before", limits(1000), node="node-2"))
        self.stage.stop_node(2)
        self.stage.start_node(2)
        wait_until("the plugin is registered again", lambda: slots("node-2") == 32)
        self.start(gpu_pod("after", limits(2000), node="node-2"))
        for name in ("before", "after"):
            self.assert_as_assigned(name)

    @needs_test_cluster("kills a daemon")
    def test_a_scheduler_that_was_killed_gives_nothing_away_twice(self):
        self.start(*(gpu_pod(f"half-{n}", limits(30_000)) for n in range(4)))
        self.stage.kill_scheduler()
        self.stage.start_scheduler()
        self.start(*(gpu_pod(f"rest-{n}", limits(10_000)) for n in range(4)))
        given = [self.assigned(f"{kind}-{n}")["main"][0] for kind in ("half", "rest") for n in range(4)]
        self.assertEqual(len({card for card, memory, _ in given if memory == "30000MiB"}), 4)
        self.assertEqual(len({card for card, memory, _ in given if memory == "10000MiB"}), 4)


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""What a container asked for is what it has: memory to the byte, the cards it was given and no others."""

from gpu_case import (ASK_AND_STAY, CONTEXT, GpuCase, MIB, gpu_pod, in_mib, kubectl, kubectl_json, limits, unittest,
                      wait_until)
from stage import IMAGE, ON_USERS_CLUSTER, announcements, cards, needs_test_cluster, nodes, slots


class Limits(GpuCase):
    def assert_filled(self, name, memory_mib, container="main"):
        """All of it but the context, of which only the simulated cards' size is known."""
        (filled,) = self.said(name, r"^filled (\d+)$", container)
        left = memory_mib * MIB - int(filled)
        if ON_USERS_CLUSTER:
            self.assertTrue(0 < left < 1024 * MIB, left)
        else:
            self.assertEqual(left, CONTEXT)

    def test_a_container_sees_its_memory_and_is_refused_more(self):
        self.start(gpu_pod("four", limits(4096, 30), ASK_AND_STAY))
        _, total = self.said("four", r"^sees (\d+) of (\d+)$")
        self.assertEqual(int(total), 4096 * MIB)
        self.assert_filled("four", 4096)
        self.said("four", "^(refused)$")
        self.said("four", "^(intact)$")

    def test_two_pods_share_a_card_and_neither_takes_from_the_other(self):
        uuid, size = announcements(nodes()[0])[0][:2]
        card = {"warpshare.io/use-gpu-uuid": uuid}
        fifth = in_mib(size) // 5
        self.start(gpu_pod("one", limits(fifth, 30), ASK_AND_STAY, card), gpu_pod("two", limits(2 * fifth, 70), ASK_AND_STAY, card))
        for name, memory in (("one", fifth), ("two", 2 * fifth)):
            self.assert_filled(name, memory)
            self.assertEqual(self.assigned(name)["main"][0][0], card["warpshare.io/use-gpu-uuid"])

    def test_two_containers_of_a_pod_have_limits_of_their_own(self):
        wanted = gpu_pod("pair", limits(1024, 10), ASK_AND_STAY)
        wanted["spec"]["containers"].append({**wanted["spec"]["containers"][0], "name": "other", "resources": limits(2048, 20)})
        self.start(wanted)
        for container, memory in (("main", 1024), ("other", 2048)):
            self.assert_filled("pair", memory, container)

    def test_a_container_with_two_cards_sees_two(self):
        if all(len(cards(node)) < 2 for node in nodes()):
            self.skipTest("no node has two cards")
        self.start(gpu_pod("double", limits(2048, cards=2)))
        self.said("double", r"^GPU 1: .*(GPU-[0-9a-f-]+)")
        given = {card for card, _, _ in self.assigned("double")["main"]}
        self.assertEqual(len(given), 2)
        self.assertEqual(set(kubectl("logs", "double").stdout.count(card) for card in given), {1})

    @needs_test_cluster("starts a node's daemon anew")
    def test_the_driver_may_come_by_cdi(self):
        def restart(*flags):
            self.stage.stop_node(1)
            self.stage.start_node(1, *flags)
            wait_until("the plugin is registered again", lambda: slots("node-1") == 32)
        restart("--cdi-dir", "/var/run/cdi")
        self.addCleanup(restart)
        self.start(gpu_pod("by-cdi", limits(4096), ASK_AND_STAY, node="node-1"))
        self.assert_filled("by-cdi", 4096)

    def test_a_node_shows_what_its_cards_have_together(self):
        for node in nodes():
            memory = sum(in_mib(card[1]) for card in announcements(node))
            for kind in ("capacity", "allocatable"):
                wait_until(f"{node} has it as {kind}", lambda: self.resources(node, kind) == (memory, 100 * len(cards(node))))

    @staticmethod
    def resources(node, kind):
        has = kubectl_json("get", "node", node)["status"][kind]
        return tuple(int(has.get(f"warpshare.io/gpu-{what}", 0)) for what in ("memory", "cores"))

    def test_a_pod_without_cards_never_notices(self):
        self.run_pod("plain", IMAGE, ["sh", "-c", "ls /etc/ld.so.preload /run/warpshare; env; sleep 1000"])
        log = kubectl("logs", "plain").stdout
        self.assertNotIn("warpshare/tenant", log)
        self.assertNotIn("WARPSHARE", log)
        annotations = kubectl("get", "pod", "plain", "-o", "jsonpath={.metadata.annotations}").stdout
        self.assertNotIn("assignment", annotations)

    @needs_test_cluster("kills daemons")
    def test_a_pod_without_cards_starts_while_all_of_warpshare_is_dead(self):
        self.addCleanup(self.stage.wait_for_cards)
        for kill, start, where in ((self.stage.kill_scheduler, self.stage.start_scheduler, ()),
                                   (self.stage.kill_node, self.stage.start_node, (1,)),
                                   (self.stage.kill_node, self.stage.start_node, (2,))):
            kill(*where)
            self.addCleanup(start, *where)
        for node in nodes():
            self.run_pod(f"plain-{node}", IMAGE, ["sleep", "1000"], node=node)


if __name__ == "__main__":
    unittest.main(verbosity=2)

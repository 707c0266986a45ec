"""What a container asked for is what it has: memory to the byte, the cards it was given and no others."""

from gpu_case import ASK_AND_STAY, CONTEXT, GpuCase, MIB, gpu_pod, kubectl, limits, unittest
from stage import IMAGE, cards


class Limits(GpuCase):
    def test_a_container_sees_its_memory_and_is_refused_more(self):
        self.start(gpu_pod("four", limits(4096, 30), ASK_AND_STAY))
        _, total = self.said("four", r"^sees (\d+) of (\d+)$")
        self.assertEqual(int(total), 4096 * MIB)
        (filled,) = self.said("four", r"^filled (\d+)$")
        self.assertEqual(int(filled), 4096 * MIB - CONTEXT)
        self.said("four", "^(refused)$")
        self.said("four", "^(intact)$")

    def test_two_pods_share_a_card_and_neither_takes_from_the_other(self):
        card = {"warpshare.io/use-gpu-uuid": cards("node-1")[0]}
        self.start(gpu_pod("one", limits(8192, 30), ASK_AND_STAY, card), gpu_pod("two", limits(16384, 70), ASK_AND_STAY, card))
        for name, memory in (("one", 8192), ("two", 16384)):
            (filled,) = self.said(name, r"^filled (\d+)$")
            self.assertEqual(int(filled), memory * MIB - CONTEXT)
            self.assertEqual(self.assigned(name)["main"][0][0], cards("node-1")[0])

    def test_two_containers_of_a_pod_have_limits_of_their_own(self):
        wanted = gpu_pod("pair", limits(1024, 10), ASK_AND_STAY)
        wanted["spec"]["containers"].append({**wanted["spec"]["containers"][0], "name": "other", "resources": limits(2048, 20)})
        self.start(wanted)
        for container, memory in (("main", 1024), ("other", 2048)):
            (filled,) = self.said("pair", r"^filled (\d+)$", container)
            self.assertEqual(int(filled), memory * MIB - CONTEXT)

    def test_a_container_with_two_cards_sees_two(self):
        self.start(gpu_pod("double", limits(2048, cards=2)))
        self.said("double", r"^GPU 1: .*(GPU-[0-9a-f-]+)")
        given = {card for card, _, _ in self.assigned("double")["main"]}
        self.assertEqual(len(given), 2)
        self.assertEqual(set(kubectl("logs", "double").stdout.count(card) for card in given), {1})

    def test_a_pod_without_cards_never_notices(self):
        self.run_pod("plain", IMAGE, ["sh", "-c", "ls /etc/ld.so.preload /run/warpshare; env; sleep 1000"])
        log = kubectl("logs", "plain").stdout
        self.assertNotIn("warpshare/tenant", log)
        self.assertNotIn("WARPSHARE", log)
        annotations = kubectl("get", "pod", "plain", "-o", "jsonpath={.metadata.annotations}").stdout
        self.assertNotIn("assignment", annotations)


if __name__ == "__main__":
    unittest.main(verbosity=2)

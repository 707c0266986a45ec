"""A card that has failed: nobody new gets it, whatever restarts, until it is said to be well. One that hangs: the same, by itself."""

from gpu_case import STAY, GpuCase, apply, gpu_pod, kubectl, limits, unittest, wait_until
from stage import METRICS_PORT, READ, cards, cluster, needs_test_cluster, slots

# "GPU has fallen off the bus": only a reset mends it.
NEEDS_RESET = 79
# An illegal address: the program's fault, not the card's.
OF_A_PROGRAM = 31
SLOTS_OF_A_CARD = 16
NOTES = "/run/warpshare-node/to-be-reset"


@needs_test_cluster("breaks a card")
class Fault(GpuCase):
    def await_cards(self, count):
        wait_until(f"the kubelet has {count} cards to give", lambda: slots("node-2") == count * SLOTS_OF_A_CARD)

    def mend(self):
        """As deploy/README.md says it is done by hand."""
        cluster("node-exec", 2, "--", "sh", "-c", f"rm -f {NOTES}/*")
        self.await_cards(2)

    def restart_daemon(self):
        """Until it is ready, so that nothing is what the one before has said."""
        self.stage.stop_node(2)
        self.stage.start_node(2)
        wait_until("it is ready", lambda: cluster("node-exec", 2, "--", *READ, f"http://127.0.0.1:{METRICS_PORT}/readyz",
                                                  check=False).returncode == 0)

    def answers(self, path):
        return cluster("node-exec", 2, "--", *READ, f"http://127.0.0.1:{METRICS_PORT}{path}").stdout.strip()

    def release(self):
        self.stage.hang(2, 0, False)
        self.await_cards(2)

    def of_cards(self, metric):
        return {labels.split('card="')[1].split('"')[0]: float(value) for labels, value in self.stage.metrics(2).items()
                if labels.startswith(f"warpshare_card_{metric}{{")}

    def test_a_card_that_only_a_reset_mends_stays_out_whatever_restarts(self):
        broken, whole = cards("node-2")
        self.addCleanup(self.mend)
        self.stage.fault(2, 0, NEEDS_RESET)
        self.await_cards(1)
        self.start(gpu_pod("elsewhere", limits(1024), node="node-2"))
        self.assertEqual(self.assigned("elsewhere")["main"][0][0], whole)
        cluster("restart", "kubelet", "2")
        self.restart_daemon()
        self.assertEqual(self.of_cards("healthy"), {broken: 0, whole: 1})
        self.await_cards(1)
        self.refuse_the(broken)
        self.mend()
        self.start(gpu_pod("mended", limits(1024), annotations={"warpshare.io/use-gpu-uuid": broken}, node="node-2"))
        self.assertEqual(self.assigned("mended")["main"][0][0], broken)

    def refuse_the(self, broken):
        wanted = gpu_pod("waits", limits(1024), annotations={"warpshare.io/use-gpu-uuid": broken}, node="node-2")
        self.addCleanup(kubectl, "delete", "pod", "waits", "--ignore-not-found", "--grace-period=1")
        apply(wanted)
        wait_until("it is told why it waits", lambda: "unhealthy" in self.events("waits"))

    def test_a_card_that_hangs_keeps_nobody_from_the_other(self):
        hanging, whole = cards("node-2")
        self.addCleanup(self.release)
        self.stage.hang(2, 0, True)
        self.await_cards(1)
        self.assertEqual(self.of_cards("healthy"), {hanging: 0, whole: 1})
        self.assertEqual(list(self.of_cards("memory_used_bytes")), [whole])
        self.assertEqual(self.answers("/healthz"), "ok")
        self.start(gpu_pod("beside", limits(1024), STAY, node="node-2"))
        self.assertEqual(self.assigned("beside")["main"][0][0], whole)
        self.restart_daemon()
        self.assertEqual(self.of_cards("healthy"), {hanging: 0, whole: 1})
        self.await_cards(1)
        self.release()
        self.start(gpu_pod("back", limits(1024), annotations={"warpshare.io/use-gpu-uuid": hanging}, node="node-2"))
        self.assertEqual(self.assigned("back")["main"][0][0], hanging)
        self.assertEqual(sorted(self.of_cards("memory_used_bytes")), sorted([hanging, whole]))

    def test_a_programs_own_fault_costs_no_card(self):
        self.stage.fault(2, 0, OF_A_PROGRAM)
        self.start(gpu_pod("unharmed", limits(1024), annotations={"warpshare.io/use-gpu-uuid": cards("node-2")[0]}, node="node-2"))
        self.assertEqual(slots("node-2"), 2 * SLOTS_OF_A_CARD)


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""A running pod's limits follow its annotations, without a restart, and never past what its card has."""

from gpu_case import GpuCase, gpu_pod, kubectl, limits, unittest, wait_until
from stage import cards, needs_test_cluster, slots

GIB = 1 << 30
# It holds 3 GiB and says every half second what the driver tells it.
HOLDS = ["sh", "-c", f"(echo take {3 * GIB}; while sleep 0.5; do echo look; done) | hold"]


class Resize(GpuCase):
    def annotate(self, name, annotation, text):
        kubectl("annotate", "pod", name, f"warpshare.io/{annotation}={text}", "--overwrite")

    def text(self, name):
        return kubectl("get", "pod", name, "-o", r"jsonpath={.metadata.annotations.warpshare\.io/assignment}").stdout

    def sees(self, name):
        """Free and total by its last word, whole lines only."""
        def words():
            lines = [line.split() for line in kubectl("logs", name, "--tail=2").stdout.splitlines()]
            return [line for line in lines if line[:1] == ["sees"] and len(line) == 4]
        last = wait_until(f"{name} says what it sees", words)[-1]
        return int(last[1]), int(last[3])

    def wait_until_sees(self, name, total):
        wait_until(f"{name} sees {total}", lambda: self.sees(name)[1] == total)

    def test_more_and_less_reach_the_program_while_it_runs(self):
        self.start(gpu_pod("live", limits(4096, 30), HOLDS))
        self.said("live", "^(taken)$")
        self.wait_until_sees("live", 4 * GIB)
        self.annotate("live", "resize", "memory=6GiB,cores=50")
        self.wait_until_sees("live", 6 * GIB)
        self.assertEqual(self.assigned("live")["main"][0][1:], ("6GiB", "50"))
        self.annotate("live", "resize", "memory=2GiB")
        self.wait_until_sees("live", 2 * GIB)
        self.assertEqual(self.sees("live")[0], 0, "it holds more than it may have")
        self.assertEqual(self.assigned("live")["main"][0][1:], ("2GiB", "30"))
        kubectl("annotate", "pod", "live", "warpshare.io/resize-")
        self.wait_until_sees("live", 4 * GIB)
        self.assertEqual(kubectl("logs", "live").stdout.count("ready"), 1, "it never started again")

    @needs_test_cluster("fills a card of a size that it knows")
    def test_what_does_not_fit_is_refused_with_the_reason_until_there_is_room(self):
        card = {"warpshare.io/use-gpu-uuid": cards("node-1")[0]}
        self.start(gpu_pod("grows", limits(4096), HOLDS, card), gpu_pod("neighbour", limits(35_000), annotations=card))
        before = self.assigned("grows")
        self.annotate("grows", "resize", "memory=8GiB")
        wait_until("it is refused", lambda: "not resized" in self.events("grows"))
        self.assertIn("left, and the pod asks for 4GiB", self.events("grows"))
        self.assertEqual(self.assigned("grows"), before)
        self.assertEqual(self.sees("grows")[1], 4 * GIB)
        kubectl("delete", "pod", "neighbour", "--grace-period=1")
        self.wait_until_sees("grows", 8 * GIB)

    @needs_test_cluster("kills daemons")
    def test_daemons_that_were_away_go_on_where_the_pod_is(self):
        self.start(gpu_pod("later", limits(4096), HOLDS, node="node-2"))
        self.stage.kill_scheduler()
        self.annotate("later", "resize", "memory=6GiB")
        self.stage.start_scheduler()
        self.wait_until_sees("later", 6 * GIB)
        self.stage.stop_node(2)
        self.annotate("later", "resize", "memory=5GiB")
        wait_until("it is written", lambda: self.assigned("later")["main"][0][1] == "5GiB")
        self.assertEqual(self.sees("later")[1], 6 * GIB)
        self.stage.start_node(2)
        self.wait_until_sees("later", 5 * GIB)
        wait_until("the plugin is registered again", lambda: slots("node-2") == 32)

    @needs_test_cluster("fills cards of a size that it knows")
    def test_what_a_pod_gave_back_is_anothers(self):
        one, two = ({"warpshare.io/use-gpu-uuid": card} for card in cards("node-1"))
        self.start(gpu_pod("one", limits(38_000), annotations=one), gpu_pod("two", limits(38_000), annotations=two))
        self.annotate("one", "resize", "memory=4GiB")
        wait_until("it is given back", lambda: self.assigned("one")["main"][0][1] == "4GiB")
        # By their specs these are more than the node has.
        self.start(gpu_pod("three", limits(30_000), HOLDS, one))
        self.wait_until_sees("three", 30_000 << 20)

    def test_a_wish_that_makes_no_sense_is_told_and_takes_nothing(self):
        self.start(gpu_pod("wishes", limits(4096), HOLDS))
        self.annotate("wishes", "resize", "memory=lots")
        wait_until("it is told", lambda: "write memory=6GiB" in self.events("wishes"))
        self.assertEqual(self.sees("wishes")[1], 4 * GIB)

    @needs_test_cluster("writes what is the scheduler's to write")
    def test_an_assignment_that_somebody_edited_is_put_right(self):
        self.start(gpu_pod("edited", limits(4096), HOLDS))
        right = self.text("edited")
        for wrong in (right.replace("4GiB", "39GiB"), right.replace("main=", "other="), "nonsense"):
            self.annotate("edited", "assignment", wrong)
            wait_until(f"{wrong} is put right", lambda: self.text("edited") == right)
            self.assertEqual(self.sees("edited")[1], 4 * GIB)


if __name__ == "__main__":
    unittest.main(verbosity=2)

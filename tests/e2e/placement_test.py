"""Which card a pod gets, and why it gets none."""

from gpu_case import GpuCase, apply, gpu_pod, kubectl, limits, unittest, wait_until
from stage import cards


class Placement(GpuCase):
    def wants_in_vain(self, wanted):
        """Its events, once it was refused."""
        name = wanted["metadata"]["name"]
        self.addCleanup(kubectl, "delete", "pod", name, "--ignore-not-found", "--wait=true", "--grace-period=1")
        apply(wanted)
        return wait_until(f"{name} is refused", lambda: self.events(name))

    def test_a_card_is_chosen_by_its_uuid(self):
        for number, card in enumerate(cards("node-1") + cards("node-2")):
            name = f"chosen-{number}"
            self.start(gpu_pod(name, limits(1024), annotations={"warpshare.io/use-gpu-uuid": card}))
            self.assertEqual(self.assigned(name)["main"][0][0], card)

    def test_more_than_any_card_has_is_refused_with_the_reason(self):
        events = self.wants_in_vain(gpu_pod("huge", limits(50_000)))
        self.assertIn("memory", events.lower())

    def test_a_model_that_is_not_there_is_refused_with_the_reason(self):
        events = self.wants_in_vain(gpu_pod("other-model", limits(1024), annotations={"warpshare.io/use-gpu-model": "H100"}))
        self.assertIn("model", events.lower())

    def test_a_pod_that_waits_starts_when_another_goes(self):
        card = {"warpshare.io/use-gpu-uuid": cards("node-1")[1]}
        self.start(gpu_pod("holds", limits(40_000), annotations=card))
        self.wants_in_vain(gpu_pod("waits", limits(30_000), annotations=card))
        kubectl("delete", "pod", "holds", "--grace-period=1")
        self.wait_for_phase("waits", "Running")


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""Which card a pod gets, and why it gets none."""

import re

from gpu_case import GpuCase, apply, gpu_pod, in_mib, kubectl, limits, unittest, wait_until
from stage import announcements, cards, model, nodes


class Placement(GpuCase):
    def wants_in_vain(self, wanted):
        """What was said when it was refused: by the webhook at once, or by the scheduler in events."""
        name = wanted["metadata"]["name"]
        self.addCleanup(kubectl, "delete", "pod", name, "--ignore-not-found", "--wait=true", "--grace-period=1")
        try:
            apply(wanted)
        except AssertionError as refused:
            return str(refused)
        return wait_until(f"{name} is refused", lambda: self.events(name))

    def test_a_card_is_chosen_by_its_uuid(self):
        for number, card in enumerate(card for node in nodes() for card in cards(node)):
            name = f"chosen-{number}"
            self.start(gpu_pod(name, limits(1024), annotations={"warpshare.io/use-gpu-uuid": card}))
            self.assertEqual(self.assigned(name)["main"][0][0], card)

    def test_a_card_is_chosen_by_its_model(self):
        models = {model(node) for node in nodes()}
        for number, wanted in enumerate(sorted(models)):
            name = f"model-{number}"
            self.start(gpu_pod(name, limits(1024), annotations={"warpshare.io/use-gpu-model": wanted}))
            self.said(name, f"^GPU 0: ({re.escape(wanted)}) ")
        if len(models) > 1:
            self.start(gpu_pod("avoids", limits(1024), annotations={"warpshare.io/avoid-gpu-model": wanted}))
            self.assertNotIn(wanted, self.said("avoids", "^GPU 0: (.*)")[0])

    def test_more_than_any_card_has_is_refused_with_the_reason(self):
        said = self.wants_in_vain(gpu_pod("huge", limits(5_000_000)))
        self.assertRegex(said.lower(), "memory|5000000mib of a card, and the largest that it may have")

    def test_a_model_that_is_not_there_is_refused_with_the_reason(self):
        events = self.wants_in_vain(gpu_pod("other-model", limits(1024), annotations={"warpshare.io/use-gpu-model": "Voodoo2"}))
        self.assertIn("model", events.lower())

    def test_a_pod_that_waits_starts_when_another_goes(self):
        node = nodes()[0]
        uuid, memory = announcements(node)[-1][:2]
        most = in_mib(memory) * 3 // 4
        self.start(gpu_pod("holds", limits(most), annotations={"warpshare.io/use-gpu-uuid": uuid}))
        self.wants_in_vain(gpu_pod("waits", limits(most), annotations={"warpshare.io/use-gpu-uuid": uuid}))
        kubectl("delete", "pod", "holds", "--grace-period=1")
        self.wait_for_phase("waits", "Running")


if __name__ == "__main__":
    unittest.main(verbosity=2)

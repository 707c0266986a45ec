"""The phases of a pod's life: containers that run before the others, beside them, and again."""

from gpu_case import ASK_AND_STAY, CONTEXT, GpuCase, MIB, gpu_pod, in_mib, kubectl, kubectl_json, limits, unittest, wait_until
from stage import ON_USERS_CLUSTER, announcements, nodes

ASK = ["sh", "-c", "simgpu-smi -L; (echo look; echo fill; echo take 1; echo check) | hold"]
# The second time only after the first: a volume of the pod's tells them apart.
ASK_TWICE = ["sh", "-c", "simgpu-smi -L; echo look | hold; test -e /kept/once && sleep 1000; touch /kept/once; exit 1"]


def container_of(wanted, name, resources, command, **more):
    return {**wanted["spec"]["containers"][0], "name": name, "resources": resources, "command": command, **more}


class Phases(GpuCase):
    def assert_has(self, name, container, memory_mib):
        """It saw that much, on the card that it was assigned, and was refused the next byte."""
        (card, memory, _) = self.assigned(name)[container][0]
        self.assertEqual(in_mib(memory), memory_mib)
        self.assertEqual(self.said(name, r"^GPU 0: .*(GPU-[0-9a-f-]+)", container), (card,))
        self.assertEqual(int(self.said(name, r"^sees (\d+) of (\d+)$", container)[1]), memory_mib * MIB)
        if not ON_USERS_CLUSTER:
            (filled,) = self.said(name, r"^filled (\d+)$", container)
            self.assertEqual(memory_mib * MIB - int(filled), CONTEXT)
        self.said(name, "^(refused)$", container)

    def test_an_init_container_and_those_after_it_have_the_same_place(self):
        """A pod holds the most that it has at a time, for all its life, as it is with processors: not the sum."""
        uuid, size = announcements(nodes()[0])[0][:2]
        card = {"warpshare.io/use-gpu-uuid": uuid}
        quarter = in_mib(size) // 4
        wanted = gpu_pod("stages", limits(2048, 10), ASK_AND_STAY, card)
        wanted["spec"]["initContainers"] = [container_of(wanted, "fetch", limits(3 * quarter, 60), ASK)]
        self.start(wanted)
        self.assert_has("stages", "fetch", 3 * quarter)
        self.assert_has("stages", "main", 2048)
        self.start(gpu_pod("beside", limits(quarter, 40), ASK_AND_STAY, card))
        self.assert_has("beside", "main", quarter)

    def test_a_sidecar_keeps_its_part_beside_those_after_it(self):
        wanted = gpu_pod("tended", limits(2048, 20), ASK_AND_STAY)
        wanted["spec"]["initContainers"] = [
            container_of(wanted, "side", limits(1024, 10), ASK_AND_STAY, restartPolicy="Always"),
            container_of(wanted, "fetch", limits(3072, 30), ASK)]
        self.start(wanted)
        for container, memory_mib in (("side", 1024), ("fetch", 3072), ("main", 2048)):
            self.assert_has("tended", container, memory_mib)
        self.said("tended", "^(intact)$", "side")
        running = {status["name"] for status in self.statuses("tended") if "running" in status["state"]}
        self.assertEqual(running, {"side", "main"})

    def test_a_container_that_starts_again_has_the_same_part(self):
        wanted = gpu_pod("again", limits(1536, 15), ASK_TWICE, restartPolicy="OnFailure",
                         volumes=[{"name": "kept", "emptyDir": {}}])
        wanted["spec"]["containers"][0]["volumeMounts"] = [{"name": "kept", "mountPath": "/kept"}]
        self.start(wanted)
        wait_until("it runs the second time", lambda: any(
            status["restartCount"] == 1 and "running" in status["state"] for status in self.statuses("again")))
        (card, _, _) = self.assigned("again")["main"][0]
        for which in ("--previous", "--previous=false"):
            def said():
                text = kubectl("logs", "again", which, check=False).stdout
                return text if f" of {1536 * MIB}" in text else None
            self.assertIn(card, wait_until(f"it says what it has ({which})", said))

    @staticmethod
    def statuses(name):
        status = kubectl_json("get", "pod", name)["status"]
        return status.get("initContainerStatuses", []) + status.get("containerStatuses", [])


if __name__ == "__main__":
    unittest.main(verbosity=2)

import pathlib
import unittest

import tool

check_layers = tool.load("check_layers")
TABLE = check_layers.Layers((tool.TOOLS / "layers.txt").read_text())


def mends(path: str, text: str) -> list[str]:
    return [finding.mend for finding in check_layers.check_text(TABLE, pathlib.PurePath(path), text)]


class CheckLayers(unittest.TestCase):
    def test_a_room_may_include_itself_and_what_the_table_gives_it(self):
        self.assertEqual(mends("ledger/a.cc", '#include "ledger/b.h"\n#include "abi/region/c.h"\n'), [])

    def test_the_ground_floor_must_not_look_up(self):
        self.assertIn("policy may not include platform", mends("policy/a.cc", '#include "platform/clock/clock.h"\n')[0])

    def test_the_simulator_shares_nothing_with_its_subject_but_the_driver_declarations(self):
        self.assertEqual(mends("simgpu/cuda/a.cc", '#include "abi/driver/cuda_types.h"\n'), [])
        self.assertEqual(len(mends("simgpu/cuda/a.cc", '#include "abi/region/usage_page.h"\n')), 1)
        self.assertEqual(len(mends("simgpu/cuda/a.cc", '#include "ledger/card_ledger.h"\n')), 1)

    def test_neighbours_do_not_meet_unless_the_table_says_so(self):
        self.assertEqual(mends("simgpu/nvml/a.cc", '#include "simgpu/world/world.h"\n'), [])
        self.assertEqual(len(mends("simgpu/nvml/a.cc", '#include "simgpu/cuda/context.h"\n')), 1)
        self.assertEqual(len(mends("platform/clock/a.cc", '#include "platform/process/process.h"\n')), 1)

    def test_an_include_that_does_not_name_its_room_is_found_with_its_line(self):
        [finding] = check_layers.check_text(TABLE, pathlib.PurePath("ledger/a.cc"), '\n  #  include "words.h"\n')
        self.assertEqual((finding.path, finding.line), ("src/ledger/a.cc", 2))

    def test_a_test_double_stays_out_of_products(self):
        self.assertIn("for tests", mends("apps/warpshare/a.cc", '#include "platform/clock/fake/fake_clock.h"\n')[0])

    def test_a_library_is_used_only_by_the_rooms_that_name_it(self):
        self.assertEqual(mends("result/a.h", "#include <tl/expected.hpp>\n#include <sys/mman.h>\n"), [])
        self.assertEqual(len(mends("interposer/a.cc", "#include <tl/expected.hpp>\n")), 1)
        self.assertEqual(len(mends("policy/a.cc", "#include <boost/json.hpp>\n")), 1)

    def test_an_unknown_room_is_refused(self):
        self.assertIn("not in tools/layers.txt", mends("drawer/a.cc", "")[0])


if __name__ == "__main__":
    unittest.main()

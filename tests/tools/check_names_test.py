import pathlib
import tempfile
import unittest

import tool

check_names = tool.load("check_names")


def path_mends(path: str) -> int:
    return len(list(check_names.check_path(pathlib.PurePath(path))))


def text_lines(text: str) -> list[int]:
    return [finding.line for finding in check_names.check_text(pathlib.PurePath("src/a/b.cc"), text)]


class CheckNames(unittest.TestCase):
    def test_rooms_and_files_with_empty_names_are_refused(self):
        for path in ("src/core/a.h", "src/ledger/util.h", "src/node/helpers/a.cc", "tools/common.py"):
            self.assertEqual(path_mends(path), 1, path)
        self.assertEqual(path_mends("src/ledger/card_ledger.h"), 0)

    def test_unfinished_work_names_its_issue(self):
        self.assertEqual(text_lines("int a;\n// TO" "DO: later\n// TO" "DO(#12): later\n"), [2])
        self.assertEqual(text_lines("// FIX" "ME\n"), [1])

    def test_paths_of_one_machine_are_found(self):
        self.assertEqual(text_lines('auto p = "/home/' 'ann/x";\n'), [1])
        self.assertEqual(text_lines('auto p = "/usr/lib/x"; auto q = root + "/workspace";\n'), [])

    def test_tests_are_not_switched_off(self):
        self.assertEqual(text_lines("TEST(A, DISABLED" "_Works) {}\n"), [1])

    def test_a_type_is_not_called_by_an_empty_word(self):
        self.assertEqual(text_lines("class Card" "Manager {\n"), [1])

    def test_a_room_needs_a_short_readme(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            room = root / "src/ledger"
            room.mkdir(parents=True)
            sources = [pathlib.Path("src/ledger/CMakeLists.txt"), pathlib.Path("src/ledger/fake/CMakeLists.txt")]
            self.assertEqual(len(list(check_names.check_readmes(root, sources))), 1)
            (room / "README.md").write_text("line\n" * 31)
            self.assertEqual(len(list(check_names.check_readmes(root, sources))), 1)
            (room / "README.md").write_text("line\n" * 30)
            self.assertEqual(list(check_names.check_readmes(root, sources)), [])


if __name__ == "__main__":
    unittest.main()
